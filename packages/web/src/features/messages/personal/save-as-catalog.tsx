import { contactCalls } from "@ewebal/contract/calls";
import { limits, type ContactColumnName } from "@ewebal/contract/rules";
import { Button, Progress } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatCount, formatDateTime } from "../../../lib/texts/format.ts";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import { isPersonal, isTooMany } from "./personal-send.ts";

/** Contacts in one call: some 300 kB for people with a few fields. */
const CONTACTS_PER_CALL = 5_000;

/** Offers one press for more recipients with fields than travel with a send: they become a catalog, and the send names it. */
export function SaveAsCatalog({ composer }: { composer: Composer }) {
  const isOffered = useComposition(composer, (whole) => isPersonal(whole) && isTooMany(whole));
  const summary = useComposition(composer, (whole) => whole.summary);
  const { save, isSaving, savedCount, error } = useSave(composer);
  if (!isOffered || summary === undefined) return null;
  const { validCount, hasOwnTexts } = summary;
  if (hasOwnTexts)
    return (
      <Callout
        tone="warn"
        title={`${formatCount(validCount)} recipients are too many for texts of their own`}
        isAnnounced
      >
        A catalog keeps fields, and no texts. Send to fewer of them at a time, or write one message with fields.
      </Callout>
    );
  return (
    <Callout
      tone="info"
      title={`Save these ${formatCount(validCount)} recipients as a catalog to send to them`}
      isAnnounced
      action={
        <Stack gap={8} align="start">
          <Button size="xs" variant="default" loading={isSaving} onClick={save}>
            Save as a catalog
          </Button>
          {isSaving && (
            <>
              <Progress w={200} value={(100 * savedCount) / validCount} aria-label="Saved" />
              <p className="muted small numeric" role="status">
                {formatCount(savedCount)} of {formatCount(validCount)}
              </p>
            </>
          )}
          <Refusal screen="contactsUpload" error={error ?? undefined} />
        </Stack>
      }
    >
      With fields, more than 10,000 are sent to from a catalog. Text and everything else stays as it is, and the catalog
      stays in your phonebook.
    </Callout>
  );
}

/** What is saved already stays when a call fails; the next press goes on with the same catalog. */
function useSave(composer: Composer) {
  const { userId } = composer;
  const queryClient = useQueryClient();
  const [savedCount, setSavedCount] = useState(0);
  const [catalog, setCatalog] = useState<{ catalogId: string; catalogName: string }>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { code, summary } = composer.getState();
      if (summary === undefined) return;
      const { columns, validCount } = summary;
      const made = catalog ?? (await createCatalog(userId, code, columns));
      setCatalog(made);
      for (let from = 0; from < validCount; from += CONTACTS_PER_CALL) {
        await addContacts(composer, made.catalogId, from);
        setSavedCount(Math.min(from + CONTACTS_PER_CALL, validCount));
      }
      const table = await composer.ask({ kind: "write-table" });
      if (table.kind !== "written" || composer.getState().summary !== summary) return;
      composer.takeCatalog({ text: table.text, columns, catalogId: made.catalogId, origin: `in ${made.catalogName}` });
      await queryClient.invalidateQueries({ queryKey: ["catalogs"] });
    },
  });
  return { save: () => mutate(), isSaving: isPending, savedCount, error };
}

async function createCatalog(userId: string, code: string, columns: readonly ContactColumnName[]) {
  const catalogName = `Recipients of ${formatDateTime(new Date().toISOString())}`.slice(
    0,
    limits.catalogNameCharactersMax,
  );
  const body = { catalogName, code, columns: columns.map(({ key, label }) => ({ key, label })) };
  const { data } = await call(contactCalls.createCatalog, { params: { userId }, body });
  return { catalogId: data._id, catalogName };
}

async function addContacts(composer: Composer, catalogId: string, from: number): Promise<void> {
  const answer = await composer.ask({ kind: "write-recipients", from, count: CONTACTS_PER_CALL });
  if (answer.kind !== "recipients") return;
  const contacts = answer.recipients.map(({ to, fields = {} }) => ({
    phoneNo: to,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")),
  }));
  const params = { userId: composer.userId, catalogId };
  await call(contactCalls.addContacts, { params, body: { contacts }, query: {}, headers: {} });
}
