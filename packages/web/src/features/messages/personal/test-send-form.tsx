import { TextInput } from "@mantine/core";
import { messageCalls } from "@ewebal/contract/calls";
import { formatUnits, mergePattern, personalLimits, readPattern, shortLink } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import { SendRefusal } from "../compose/send-refusal.tsx";
import { Bubble, Phone } from "../text/phone-preview.tsx";
import { endingOf, keysOf } from "./personal-send.ts";
import { useMergedRecipient } from "./personal-preview.tsx";

/** Sends the text to the customer's own number, with values of the first recipient or others, before anybody else gets it. */
export function TestSendForm({ composer, onDone }: { composer: Composer; onDone: () => void }) {
  const hasRecipients = useComposition(composer, ({ summary }) => (summary?.validCount ?? 0) > 0);
  const first = useMergedRecipient(composer, 0);
  // The fields begin with the first recipient's values, which the worker gives in a moment.
  if (hasRecipients && first === undefined) return null;
  return <OwnForm composer={composer} values={first?.fields ?? {}} onDone={onDone} />;
}

type OwnFormProps = { composer: Composer; values: Readonly<Record<string, string>>; onDone: () => void };

function OwnForm({ composer, values, onDone }: OwnFormProps) {
  const { userId } = composer;
  const queryClient = useQueryClient();
  const { data: user } = useCurrentUser();
  const senderName = useComposition(composer, (composition) => composition.senderName);
  const message = useComposition(composer, (composition) => composition.message);
  const columns = useComposition(composer, ({ summary }) => summary?.columns);
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  const keys = keysOf(message);
  const form = useForm<Record<string, string>>({
    initial: Object.fromEntries(keys.map((key) => [key, values[key] ?? ""])),
    missing: () => [
      ...(senderName.trim() === "" ? ["sender name"] : []),
      ...(message.trim() === "" ? ["message"] : []),
    ],
    send: async (fields) => {
      // A test ends like every other message; it is over in a moment.
      const { validUntil: _, ...chosen } = composer.getState().choices;
      const body = { senderName, message, ...chosen, ...(keys.length > 0 && { fields }) };
      const headers = { "idempotency-key": idempotencyKey.keyFor(body) };
      const { unitDetails } = await call(messageCalls.sendTest, { params: { userId }, body, headers });
      await queryClient.invalidateQueries({ queryKey: ["user"] });
      await queryClient.invalidateQueries({ queryKey: ["messages"] });
      showNotice({ title: "The test is on its way", text: `${formatUnits(unitDetails.charged)} units charged` });
      onDone();
    },
  });
  const ending = useComposition(composer, endingOf);
  const link = shortLink(useComposition(composer, ({ publicUrl }) => publicUrl));
  const merged = mergePattern(
    readPattern(message),
    (key) => form.values[key],
    () => link,
  );
  return (
    <Form form={form}>
      <p className="muted small">
        It goes to your own number{user?.phoneNo === undefined ? "" : `, ${user.phoneNo}`}, and costs what any message
        costs. {personalLimits.testSendsPerHour} tests an hour.
      </p>
      {keys.length > 0 && (
        <Stack gap={12}>
          {keys.map((key) => (
            <TextInput
              key={key}
              label={columns?.find((column) => column.key === key)?.label ?? key}
              autoComplete="off"
              maxLength={personalLimits.fieldCharactersMax}
              {...form.field(key)}
            />
          ))}
        </Stack>
      )}
      {merged.kind === "text" && merged.text !== "" && (
        <Phone title={senderName.trim() === "" ? "Sender name" : senderName} isLow>
          <Bubble>{merged.text + ending}</Bubble>
        </Phone>
      )}
      {form.refusal instanceof Error && <SendRefusal error={form.refusal} />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Send the test
      </SubmitButton>
    </Form>
  );
}
