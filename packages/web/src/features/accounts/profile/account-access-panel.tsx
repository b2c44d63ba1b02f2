import type { AccountAccessAnswer } from "@ewebal/contract";
import { sessionCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

const columns: Column<AccountAccessAnswer>[] = [
  { title: "Reason", isHeading: true, cell: ({ reason }) => reason },
  { title: "Administrator", cell: ({ adminName }) => adminName },
  { title: "When", cell: ({ beganAt }) => formatDateTime(beganAt) },
];

/** When administrators looked at the customer's account, and why. */
export function AccountAccessPanel({ userId }: { userId: string }) {
  const list = useCursorList<AccountAccessAnswer>({
    queryKey: ["account-access", userId],
    read: async (after, signal) =>
      await call(sessionCalls.accountAccess, {
        params: { userId },
        query: { ...(after !== undefined && { after }) },
        signal,
      }),
  });
  return (
    <Panel title="When we looked at your account">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "Nobody has looked",
          text: "To help you, an administrator can see your account for 30 minutes, without changing anything.",
        }}
        skeletonRows={1}
      >
        <DataTable caption="Looks at your account" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}
