import { Button } from "@mantine/core";
import type { AuditEntryAnswer } from "@ewebal/contract";
import { adminAccountCalls } from "@ewebal/contract/calls";
import type { AuditKind } from "@ewebal/contract/rules";
import { IconFileDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { type AddressFilters, useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { paths } from "../../../lib/paths.ts";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Fold } from "../../../ui/kit/fold.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ChoiceFilter, DayFilters } from "../../../ui/lists/filter-fields.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import classes from "./audit-log-page.module.css";
import { auditKindLabels, describeChange, describeEntry } from "./audit-words.ts";

const columns: Column<AuditEntryAnswer>[] = [
  { title: "When", cell: ({ createdAt }) => <span className="nowrap">{formatDateTime(createdAt)}</span>, width: "18%" },
  { title: "What happened", isHeading: true, cell: (entry) => <Entry entry={entry} /> },
  { title: "From", cell: ({ address }) => address, width: "16%" },
];

/** Where a mail breaks that is longer than a phone's line. */
const LONG_MAILS_AT = /(?<=[^\s@]{18}@)/;

/** Who did what to whom as a sentence, and behind it what the entry holds. */
function Entry({ entry }: { entry: AuditEntryAnswer }) {
  const { adminID, adminName, adminEmail, isCustomer = false, subjectID, subject, action, before, after } = entry;
  return (
    <div className={classes.entry}>
      <p>
        <strong>{adminName}</strong>{" "}
        {describeEntry(entry)
          .split(LONG_MAILS_AT)
          .map((part, index) => (
            <Fragment key={part}>
              {index > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
      </p>
      <Fold label="Details">
        <ul className={classes.details}>
          {describeChange(before, after).map((change) => (
            <li key={change}>{change}</li>
          ))}
          <li>
            {`By ${isCustomer ? "the customer " : ""}${adminEmail}. `}
            <TextLink to={paths.auditLog} search={{ adminId: adminID }}>
              {`Everything by ${adminName}`}
            </TextLink>
          </li>
          {subjectID !== undefined && (
            <li>
              {`About ${subject === undefined ? subjectID : `${subject.name}, ${subject.email}`}. `}
              <TextLink to={paths.auditLog} search={{ subjectId: subjectID }}>
                Everything about it
              </TextLink>
            </li>
          )}
          <li>{`Call ${action}`}</li>
        </ul>
      </Fold>
    </div>
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

const filterNames = ["person", "kind", "from", "to", "action", "adminId", "subjectId"] as const;

/** Only values that the server takes; an address may contain anything. */
function readFilters({ kind, from, to, ...texts }: Readonly<Record<(typeof filterNames)[number], string>>) {
  return {
    ...texts,
    ...(kind in auditKindLabels && { kind: kind as AuditKind }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
  };
}

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/**
 * The audit log in sentences, filtered by person, kind and day. `?subjectId=` and `?adminId=` leave what concerns one of them;
 * other pages link with them.
 */
export function AuditLogPage() {
  const filters = useAddressFilters(filterNames);
  const query = readFilters(filters.values);
  const list = useCursorList<AuditEntryAnswer>({
    queryKey: ["admin", "audit", query],
    read: async (after, signal) =>
      await call(adminAccountCalls.viewAuditEntries, {
        query: { ...query, ...(after !== undefined && { after }) },
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
      href={fillAddress(adminAccountCalls.viewAuditEntries.url, {}, { ...query, format })}
    >
      {label}
    </Button>
  ));
  return (
    <Page
      title="Audit log"
      intro="Everything that administrators have done, and what customers did about their members and sub-accounts. If someone changes or removes an entry, this page says so."
      actions={actions}
    >
      <Panel>
        <ChainState />
        <AuditFilters filters={filters} />
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

function AuditFilters({ filters }: { filters: AddressFilters<(typeof filterNames)[number]> }) {
  const { values, set } = filters;
  return (
    <ListTools
      filters={filters}
      search={
        <SearchField
          label="Search administrators"
          placeholder="Administrator's name or email"
          value={values.person}
          onSearch={(person) => set({ person })}
        />
      }
    >
      <ChoiceFilter
        label="Kind"
        name="kind"
        value={values.kind}
        onValue={(kind) => set({ kind })}
        all="Everything"
        choices={Object.entries(auditKindLabels)}
      />
      <DayFilters filters={filters} />
    </ListTools>
  );
}
