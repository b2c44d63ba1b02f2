import { Button, TextInput } from "@mantine/core";
import type { ApiKeyAnswer } from "@ewebal/contract";
import { apiKeyCalls } from "@ewebal/contract/calls";
import { lagosDate, limits } from "@ewebal/contract/rules";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

/** The customer's API keys, with which their own programs send. */
export function ApiKeysPage() {
  const { userId } = useSession();
  const [isOpen, setOpen] = useState(false);
  const make = (
    <Button leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />} onClick={() => setOpen(true)}>
      New key
    </Button>
  );
  return (
    <Page
      title="API keys"
      intro={
        <>
          Programs send with a key instead of your password, from any address.{" "}
          <TextLink to={paths.smsApi}>How to call the API</TextLink>
        </>
      }
      actions={make}
    >
      {userId !== null && <Keys userId={userId} onMake={() => setOpen(true)} />}
      {userId !== null && <MakeKeyDialog userId={userId} opened={isOpen} onClose={() => setOpen(false)} />}
    </Page>
  );
}

function Keys({ userId, onMake }: { userId: string; onMake: () => void }) {
  const list = useCursorList<ApiKeyAnswer>({
    queryKey: ["api-keys", userId],
    read: async (after, signal) =>
      await call(apiKeyCalls.apiKeys, {
        params: { userId },
        query: { ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const revoke = useRevoke(userId);
  const columns: Column<ApiKeyAnswer>[] = [
    { title: "Name", isHeading: true, cell: ({ name }) => name },
    { title: "Created", cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      title: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "Never" : <RelativeTime iso={lastUsedAt} />),
    },
    { title: "Expires", cell: ({ expiresAt }) => endInWords(expiresAt) },
    {
      title: "Revoke",
      isActions: true,
      cell: (key) => (
        <Button size="xs" variant="default" aria-label={`Revoke ${key.name}`} onClick={() => void revoke(key)}>
          Revoke
        </Button>
      ),
    },
  ];
  const empty = {
    title: "There are no API keys",
    text: "Create one key per app, so you can revoke one without affecting the others.",
    action: <Button onClick={onMake}>Create your first key</Button>,
  };
  return (
    <Panel>
      <ListStates query={list.query} rowCount={list.rows.length} empty={empty} skeletonRows={2}>
        <DataTable caption="API keys" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function endInWords(expiresAt: string | null): string {
  if (expiresAt === null) return "Never";
  return Date.parse(expiresAt) <= Date.now() ? `Expired ${formatDateTime(expiresAt)}` : formatDateTime(expiresAt);
}

function useRevoke(userId: string): (key: ApiKeyAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return async ({ _id: keyId, name }) => {
    if (
      !(await confirm({
        title: `Revoke the key "${name}"?`,
        text: "Programs that use this key will stop working at once. You can't undo this.",
      }))
    )
      return;
    try {
      const { message } = await call(apiKeyCalls.revokeApiKey, { params: { userId, keyId } });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: "Unable to revoke the key",
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: ["api-keys", userId] });
  };
}

type MakeKeyDialogProps = {
  userId: string;
  opened: boolean;
  onClose: () => void;
};

/**
 * Asks for a name, then shows the key once. Only this component's state holds the key, so closing the dialog discards
 * it.
 */
function MakeKeyDialog({ userId, opened, onClose }: MakeKeyDialogProps) {
  const [made, setMade] = useState<{ name: string; key: string }>();
  const close = (): void => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog opened={opened} onClose={close} title={made === undefined ? "New API key" : "Copy this key now"}>
      {made === undefined ? (
        <NameForm userId={userId} onMade={setMade} />
      ) : (
        <Stack gap={16}>
          <Callout tone="warn" title="You won't see it again" isAnnounced>
            Store it where your program reads it. Anyone with this key can send messages with your units.
          </Callout>
          <DetailList
            rows={[
              { name: "Name", value: made.name },
              { name: "Key", value: made.key, isCopied: true },
            ]}
          />
          <div>
            <Button onClick={close}>I have saved it</Button>
          </div>
        </Stack>
      )}
    </Dialog>
  );
}

function NameForm({ userId, onMade }: { userId: string; onMade: (made: { name: string; key: string }) => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { name: "", lastDay: "" },
    missing: ({ name }) => (name.trim() === "" ? ["name"] : []),
    schema: async () => (await import("@ewebal/contract/schemas/api-keys")).apiKeySchemas.createApiKey.body,
    send: async ({ name, lastDay }) => {
      // The key works until the end of that day in Lagos; all days in the product are days in Lagos.
      const end = lastDay === "" ? {} : { expiresAt: `${lastDay}T23:59:59+01:00` };
      const { data } = await call(apiKeyCalls.createApiKey, { params: { userId }, body: { name, ...end } });
      onMade({ name: name.trim(), key: data.key ?? "" });
      await queryClient.invalidateQueries({ queryKey: ["api-keys", userId] });
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="Name"
        description="The program that will use the key"
        maxLength={limits.apiKeyNameCharactersMax}
        data-autofocus
        {...form.field("name")}
      />
      <TextInput
        type="date"
        label="Last day (optional)"
        description="The key stops working after this day"
        min={lagosDate(new Date())}
        {...form.field("lastDay")}
      />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Create key
      </SubmitButton>
    </Form>
  );
}
