import { Button } from "@mantine/core";
import type { OwnedApiKeyAnswer } from "@ewebal/contract";
import { apiKeyCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { Email } from "../../../ui/kit/email.tsx";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

/** The API keys of all customers: when each was last used, and a button that revokes it. */
export function AssignApiPage() {
  const filters = useAddressFilters(["search"]);
  const { search } = filters.values;
  const list = useCursorList<OwnedApiKeyAnswer>({
    queryKey: ["admin", "api-keys", search],
    read: async (after, signal) =>
      await call(apiKeyCalls.viewApiKeys, { query: { search, ...(after !== undefined && { after }) }, signal }),
  });
  const revoke = useRevoke();
  const columns: Column<OwnedApiKeyAnswer>[] = [
    { title: "User Name", isHeading: true, cell: ({ userName }) => userName },
    { title: "Email Address", cell: ({ email }) => <Email email={email} /> },
    { title: "Key", cell: ({ name }) => name },
    { title: "Created", cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    {
      title: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "Never" : <RelativeTime iso={lastUsedAt} />),
    },
    {
      title: "Revoke",
      isActions: true,
      cell: (key) => (
        <Button
          size="xs"
          variant="default"
          aria-label={`Revoke ${key.name} of ${key.userName}`}
          onClick={() => void revoke(key)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Page title="Distribute API" intro="Customers create their own keys. See and revoke them here.">
      <Panel>
        <ListTools
          search={
            <SearchField
              label="Search by user, email or key"
              value={search}
              onSearch={(text) => filters.set({ search: text })}
            />
          }
        />
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{ title: "There are no API keys" }}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DataTable caption="API keys of all users" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}

function useRevoke(): (key: OwnedApiKeyAnswer) => Promise<void> {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  return async ({ _id: keyId, name, userName }) => {
    if (adminId === null) return;
    const text = "Programs that use this key will stop working at once. A mail will be sent to the user.";
    if (!(await confirm({ title: `About to revoke the key "${name}" of ${userName}?`, text }))) return;
    try {
      const { message } = await call(apiKeyCalls.revokeUserApiKey, { params: { adminId, keyId } });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: "Unable to revoke the key",
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: ["admin", "api-keys"] });
  };
}
