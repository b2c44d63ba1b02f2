import { Badge, Button, Checkbox, TextInput } from "@mantine/core";
import type { ApiKeyAnswer, MadeKeyAnswer } from "@ewebal/contract";
import { apiKeyCalls } from "@ewebal/contract/calls";
import {
  lagosDate,
  limits,
  programKeyKinds,
  type ProgramKeyKind,
  programKeyScopes,
  type ProgramKeyScope,
} from "@ewebal/contract/rules";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "../../../lib/api/api.ts";
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
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { FirstFiveMinutes } from "./first-five-minutes.tsx";
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
          Programs send with a key instead of your password, from anywhere or from the addresses that you give it. A
          test key is free to try. <TextLink to={paths.smsApi}>How to call the API</TextLink>.{" "}
          <TextLink to={paths.apiUsage}>What your keys called</TextLink>
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
    {
      title: "Name",
      isHeading: true,
      cell: ({ name, mode }) => (
        <>
          {name}{" "}
          {mode === "test" && (
            <Badge miw="max-content" variant="light" color="yellow">
              Test
            </Badge>
          )}
        </>
      ),
    },
    { title: "For", cell: (key) => kindWords[key.kind] + (nameOf(key) === undefined ? "" : `: ${nameOf(key)}`) },
    {
      title: "May",
      cell: ({ scopes }) => (scopes.length === programKeyScopes.length ? "Everything" : scopes.join(", ")),
    },
    { title: "From", cell: ({ addresses }) => (addresses.length === 0 ? "Anywhere" : addresses.join(", ")) },
    { title: "Created", cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      title: "Last used",
      cell: ({ lastUsedAt, lastUsedFrom }) =>
        lastUsedAt === undefined ? (
          "Never"
        ) : (
          <>
            <RelativeTime iso={lastUsedAt} />
            {lastUsedFrom !== undefined && <span className="muted small"> from {lastUsedFrom}</span>}
          </>
        ),
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
    <Stack gap={24}>
      <Panel>
        <ListStates query={list.query} rowCount={list.rows.length} empty={empty} skeletonRows={2}>
          <DataTable caption="API keys" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
      {!list.query.isPending && <FirstFiveMinutes keys={list.rows} onMake={onMake} />}
    </Stack>
  );
}

/** What clients of Twilio and of SMPP call the key. */
function nameOf({ sid, systemId }: ApiKeyAnswer): string | undefined {
  return sid ?? systemId;
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
 * Asks what the key is for, then shows its secret once. Only this component's state holds the secret, so closing the dialog discards
 * it.
 */
function MakeKeyDialog({ userId, opened, onClose }: MakeKeyDialogProps) {
  const [made, setMade] = useState<MadeKeyAnswer>();
  const close = (): void => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog opened={opened} onClose={close} title={made === undefined ? "New API key" : "Copy this now"}>
      {made === undefined ? (
        <KeyForm userId={userId} onMade={setMade} />
      ) : (
        <Stack gap={16}>
          <Callout tone="warn" title="You won't see it again" isAnnounced>
            {made.mode === "test"
              ? "Store it where your program reads it. What this key sends costs nothing and reaches nobody."
              : "Store it where your program reads it. Anyone who has it can send messages with your units."}
          </Callout>
          <DetailList rows={[{ name: "Name", value: made.name }, ...secretsOf(made)]} />
          <div>
            <Button onClick={close}>I have saved it</Button>
          </div>
        </Stack>
      )}
    </Dialog>
  );
}

/** What a program needs, by the names that its settings have for it. */
function secretsOf({ key, sid, token, systemId, password }: MadeKeyAnswer) {
  const named = [
    ["Key", key],
    ["Account SID", sid],
    ["Auth token", token],
    ["System ID", systemId],
    ["Password", password],
  ] as const;
  return named.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value, isCopied: true }]));
}

const kindWords: Readonly<Record<ProgramKeyKind, string>> = {
  api: "Our API",
  twilio: "A client of Twilio",
  smpp: "SMPP",
};

const scopeWords: Readonly<Record<ProgramKeyScope, string>> = {
  "messages:send": "Send, change and cancel messages",
  "messages:read": "Read messages and their results",
  contacts: "Contacts and opt-outs",
  "billing:read": "Balance, statement and rates",
  webhooks: "Webhooks",
  inbox: "Inbox",
};

function KeyForm({ userId, onMade }: { userId: string; onMade: (made: MadeKeyAnswer) => void }) {
  const queryClient = useQueryClient();
  const [scopes, setScopes] = useState<readonly ProgramKeyScope[]>(programKeyScopes);
  const form = useForm({
    initial: { name: "", kind: "api", mode: "live", lastDay: "", addresses: "" },
    missing: ({ name }) => [
      ...(name.trim() === "" ? ["name"] : []),
      ...(scopes.length === 0 ? ["what it may do"] : []),
    ],
    send: async ({ name, kind, mode, lastDay, addresses }) => {
      const places = readPlaces(addresses);
      const { data } = await call(apiKeyCalls.createApiKey, {
        params: { userId },
        body: {
          name,
          kind: programKeyKinds.find((each) => each === kind) ?? "api",
          mode: mode === "test" ? "test" : "live",
          ...(scopes.length < programKeyScopes.length && { scopes: [...scopes] }),
          // The key works until the end of that day in Lagos; all days in the product are days in Lagos.
          ...(lastDay !== "" && { expiresAt: `${lastDay}T23:59:59+01:00` }),
          ...(places.length > 0 && { addresses: places }),
        },
      }).catch((error: unknown) => {
        // The server names the place in the list; the form has one field for all of them.
        const isPlace =
          error instanceof ApiError && Object.keys(error.fields).some((field) => field.startsWith("addresses"));
        if (!isPlace) throw error;
        return { data: undefined };
      });
      if (data === undefined) {
        form.setError("addresses", "has something that is neither an IP address nor a network");
        return;
      }
      onMade(data);
      await queryClient.invalidateQueries({ queryKey: ["api-keys", userId] });
    },
  });
  const { values } = form;
  const choose = (chosen: string[]): void => setScopes(programKeyScopes.filter((scope) => chosen.includes(scope)));
  return (
    <Form form={form}>
      <TextInput
        label="Name"
        description="The program that will use the key"
        maxLength={limits.apiKeyNameCharactersMax}
        data-autofocus
        {...form.field("name")}
      />
      <NativeSelect label="For" name="kind" value={values.kind} onValue={(kind) => form.set("kind", kind)}>
        {programKeyKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindWords[kind]}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label="Mode" name="mode" value={values.mode} onValue={(mode) => form.set("mode", mode)}>
        <option value="live">Live: uses your units</option>
        <option value="test">Test: free, reaches nobody</option>
      </NativeSelect>
      <Checkbox.Group label="What it may do" value={[...scopes]} onChange={choose}>
        <Stack gap={8}>
          {programKeyScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scopeWords[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label="Addresses (optional)"
        description="IP addresses or networks that it works from, with commas between them, such as 203.0.113.7, 198.51.100.0/24"
        {...form.field("addresses")}
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

function readPlaces(text: string): string[] {
  return text.split(/[\s,;]+/).filter((place) => place !== "");
}
