import type { AuditEntryAnswer } from "@ewebal/contract";
import { call } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { useAddressFilters } from "../../lib/use-address-filters.ts";
import { useCursorList } from "../../lib/use-cursor-list.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { ListStates } from "../../ui/list-states.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { accountAddresses } from "./account-addresses.ts";
import classes from "./audit-log-page.module.css";
import { describeAction, describeChange } from "./audit-words.ts";

const columns: Column<AuditEntryAnswer>[] = [
  { title: "When", cell: ({ createdAt }) => formatDateTime(createdAt), width: "15%" },
  { title: "What", isHeading: true, cell: ({ action }) => describeAction(action), width: "20%" },
  {
    title: "Who",
    width: "20%",
    cell: ({ adminName, adminEmail }) => (
      <>
        {adminName}
        <span className={classes.aside}>{adminEmail}</span>
      </>
    ),
  },
  { title: "Details", cell: (entry) => <Details entry={entry} /> },
  { title: "From", cell: ({ address }) => address, width: "12%" },
];

function Details({ entry: { before, after, subjectID } }: { entry: AuditEntryAnswer }) {
  const changes = describeChange(before, after);
  return (
    <>
      {changes.map((change) => (
        <span key={change} className={classes.change}>
          {change}
        </span>
      ))}
      {subjectID !== undefined && <span className={classes.aside}>{subjectID}</span>}
    </>
  );
}

/** Who did what, when, to whom, and from where. `?subjectId=` and `?adminId=` narrow it; links elsewhere use them. */
export function AuditLogPage() {
  const filters = useAddressFilters(["action", "adminId", "subjectId"]);
  const { action, adminId, subjectId } = filters.values;
  const list = useCursorList<AuditEntryAnswer>({
    queryKey: ["admin", "audit", action, adminId, subjectId],
    read: async (after, signal) =>
      await call(accountAddresses.viewAuditEntries, { query: { action, adminId, subjectId, ...(after !== undefined && { after }) }, signal }),
  });
  return (
    <Page title="Audit log" intro="Everything that administrators did. Nothing here can be changed or removed.">
      <Panel>
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{ title: "Nothing was done yet", text: "Every action of an administrator leaves an entry here." }}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DataTable caption="What administrators did" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
