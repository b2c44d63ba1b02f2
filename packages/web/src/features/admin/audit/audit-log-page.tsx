import { Button } from "@mantine/core";
import type { AuditEntryAnswer } from "@ewebal/contract";
import { adminAccountCalls } from "@ewebal/contract/calls";
import { IconFileDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
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

const formats = { csv: "Download CSV", jsonl: "Download JSON lines" } as const;

/** Read once a visit: checking the whole chain is too much work for every new entry. */
function ChainState() {
  const { data } = useQuery({
    queryKey: ["audit-state"],
    queryFn: async ({ signal }) => (await call(adminAccountCalls.viewAuditState, { signal })).data,
  });
  if (data === undefined) return null;
  const entries = data.entries === 1 ? "1 entry" : `${data.entries.toLocaleString("en")} entries`;
  if (data.isWhole)
    return (
      <p
        className={classes.state}
      >{`${entries}, checked ${formatDateTime(data.checkedAt)}: none was changed or removed.`}</p>
    );
  return (
    <p className={classes.broken} role="alert">
      {`Entries were changed or removed (checked ${formatDateTime(data.checkedAt)}). Compare them with a file that you downloaded earlier.`}
    </p>
  );
}

/**
 * The audit log: who did what, when, to whom and from where. `?subjectId=` and `?adminId=` filter it; other pages link
 * with them.
 */
export function AuditLogPage() {
  const filters = useAddressFilters(["action", "adminId", "subjectId"]);
  const { action, adminId, subjectId } = filters.values;
  const list = useCursorList<AuditEntryAnswer>({
    queryKey: ["admin", "audit", action, adminId, subjectId],
    read: async (after, signal) =>
      await call(adminAccountCalls.viewAuditEntries, {
        query: { action, adminId, subjectId, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const actions = Object.entries(formats).map(([format, label]) => (
    <Button
      key={format}
      component="a"
      variant="default"
      download
      leftSection={<IconFileDownload size={18} stroke={1.6} aria-hidden />}
      href={fillAddress(adminAccountCalls.viewAuditEntries.url, {}, { action, adminId, subjectId, format })}
    >
      {label}
    </Button>
  ));
  return (
    <Page
      title="Audit log"
      intro="Everything that administrators have done. If someone changes or removes an entry, this page says so."
      actions={actions}
    >
      <Panel>
        <ChainState />
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{ title: "There are no entries yet", text: "Every action of an administrator will be recorded here." }}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DataTable caption="What administrators did" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
