import { Badge, Button } from "@mantine/core";
import type { ApiKeyAnswer } from "@ewebal/contract";
import { apiKeyCalls } from "@ewebal/contract/calls";
import { programKeyScopes } from "@ewebal/contract/rules";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { FirstFiveMinutes } from "./first-five-minutes.tsx";
import { KeyDialog, kindWords, type OpenedKey } from "./key-dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

/** The customer's API keys, with which their own programs send. */
export function ApiKeysPage() {
  const { userId } = useSession();
  const [opened, setOpened] = useState<OpenedKey>();
  const onMake = (): void => setOpened({ kind: "new" });
  const make = (
    <Button data-least="owner" leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />} onClick={onMake}>
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
      {userId !== null && <Keys userId={userId} onMake={onMake} onEdit={(key) => setOpened({ kind: "edit", key })} />}
      {userId !== null && <KeyDialog userId={userId} opened={opened} onOpen={setOpened} />}
    </Page>
  );
}

type KeysProps = {
  userId: string;
  onMake: () => void;
  onEdit: (key: ApiKeyAnswer) => void;
};

function Keys({ userId, onMake, onEdit }: KeysProps) {
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
    { title: "For", cell: purposeOf },
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
      title: "Actions",
      isActions: true,
      cell: (key) => {
        const actions = [
          ["Edit", () => onEdit(key)],
          ["Revoke", () => void revoke(key)],
        ] as const;
        const look = { size: "xs", variant: "default", m: 2, "data-least": "owner" } as const;
        return actions.map(([title, onClick]) => (
          <Button key={title} {...look} aria-label={`${title} ${key.name}`} onClick={onClick}>
            {title}
          </Button>
        ));
      },
    },
  ];
  const empty = {
    title: "There are no API keys",
    text: "Create one key per app, so you can revoke one without affecting the others.",
    action: (
      <Button data-least="owner" onClick={onMake}>
        Create your first key
      </Button>
    ),
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

/** Which programs it is for, what they call it, and an SMPP key's bounds. */
function purposeOf({ kind, sid, systemId, binds, perSecond }: ApiKeyAnswer): ReactNode {
  const name = sid ?? systemId;
  return (
    <>
      {kindWords[kind] + (name === undefined ? "" : `: ${name}`)}
      {binds !== undefined && perSecond !== undefined && (
        <span className="muted small">
          {" "}
          {binds} {binds === 1 ? "bind" : "binds"}, {perSecond.toLocaleString("en")} a second
        </span>
      )}
    </>
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
