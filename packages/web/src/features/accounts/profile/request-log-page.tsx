import type { ApiKeyAnswer, LoggedCallAnswer } from "@ewebal/contract";
import { apiKeyCalls } from "@ewebal/contract/calls";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { type AddressFilters, useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { formatDay } from "../../../shared/traffic/outcomes.ts";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ChoiceFilter } from "../../../ui/lists/filter-fields.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

/** What the customer's programs called: how often by day, and each call of the last seven days. */
export function RequestLogPage() {
  const { userId } = useSession();
  return (
    <Page
      title="API usage"
      intro={
        <>
          Every call of your <TextLink to={paths.apiKeys}>API keys</TextLink> in the last 7 days, and how often they
          called in the last 30. The log holds no numbers and no texts.{" "}
          <TextLink to={`${paths.smsHistory}?mode=test`}>What test keys sent</TextLink>
        </>
      }
    >
      {userId !== null && <Contents userId={userId} />}
    </Page>
  );
}

function Contents({ userId }: { userId: string }) {
  const { data: keys } = useQuery({
    queryKey: ["api-keys", userId, "names"],
    queryFn: async ({ signal }) =>
      (await call(apiKeyCalls.apiKeys, { params: { userId }, query: { limit: "100" }, signal })).data,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <UsagePanel userId={userId} keys={keys ?? []} />
      <CallsPanel userId={userId} keys={keys ?? []} />
    </>
  );
}

type PanelProps = { userId: string; keys: readonly ApiKeyAnswer[] };

function nameOfKey(keys: readonly ApiKeyAnswer[], keyId: string): string {
  const key = keys.find(({ _id }) => _id === keyId);
  if (key === undefined) return "A revoked key";
  return key.mode === "test" ? `${key.name} (test)` : key.name;
}

type UsageRow = { day: string; keyID: string; calls: number; errors: number };

function UsagePanel({ userId, keys }: PanelProps) {
  const query = useQuery({
    queryKey: ["api-usage", userId],
    queryFn: async ({ signal }) => (await call(apiKeyCalls.usage, { params: { userId }, signal })).data,
  });
  const rows = query.data ?? [];
  const columns: Column<UsageRow>[] = [
    { title: "Day", isHeading: true, cell: ({ day }) => formatDay(day) },
    { title: "Key", cell: ({ keyID }) => nameOfKey(keys, keyID) },
    { title: "Calls", isNumeric: true, cell: ({ calls }) => calls.toLocaleString("en") },
    { title: "Errors", isNumeric: true, cell: ({ errors }) => errors.toLocaleString("en") },
  ];
  return (
    <Panel title="Calls by day">
      <ListStates query={query} rowCount={rows.length} skeletonRows={3} empty={NO_CALLS}>
        <DataTable
          caption="Calls by day"
          columns={columns}
          rows={rows}
          rowKey={({ day, keyID }) => `${day} ${keyID}`}
        />
      </ListStates>
    </Panel>
  );
}

const NO_CALLS = {
  title: "No program has called yet",
  text: "Calls appear here a second after they are answered. A test key is free to try.",
  action: <ButtonLink to={paths.apiKeys}>API keys</ButtonLink>,
};

const filterNames = ["key", "status"] as const;
const ID = /^[0-9a-f-]{36}$/;
const STATUS = /^[1-5](?:xx|[0-9]{2})$/;

const STATUS_CHOICES = [
  ["2xx", "Accepted (2xx)"],
  ["4xx", "Refused (4xx)"],
  ["429", "Too many calls (429)"],
  ["5xx", "Not possible (5xx)"],
] as const;

/** Only values that the server takes; an address may contain anything. */
function readFilters({ key, status }: Record<(typeof filterNames)[number], string>) {
  return { ...(ID.test(key) && { key }), ...(STATUS.test(status) && { status }) };
}

function CallsPanel({ userId, keys }: PanelProps) {
  const filters = useAddressFilters(filterNames);
  const query = readFilters(filters.values);
  const list = useCursorList<LoggedCallAnswer>({
    queryKey: ["request-log", userId, query.key, query.status],
    read: async (after, signal) =>
      await call(apiKeyCalls.requestLog, {
        params: { userId },
        query: { ...query, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const columns: Column<LoggedCallAnswer>[] = [
    { title: "Time", cell: ({ createdAt }) => formatDateTime(createdAt), width: "18%" },
    { title: "Call", isHeading: true, cell: ({ method, path }) => `${method} ${path}` },
    {
      title: "Status",
      cell: ({ status, code }) => (code === undefined ? String(status) : `${status} ${code}`),
      width: "20%",
    },
    { title: "Time taken", isNumeric: true, cell: ({ ms }) => `${ms.toLocaleString("en")} ms`, width: "11%" },
    { title: "Key", cell: ({ keyID }) => nameOfKey(keys, keyID), width: "16%" },
  ];
  return (
    <Panel title="Calls">
      {(filters.isAnyOn || list.rows.length > 0 || list.query.isPending) && <Filters filters={filters} keys={keys} />}
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={NO_CALLS}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
      >
        <DataTable caption="Calls of programs" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

type FiltersProps = {
  filters: AddressFilters<(typeof filterNames)[number]>;
  keys: readonly ApiKeyAnswer[];
};

function Filters({ filters, keys }: FiltersProps) {
  const { key, status } = filters.values;
  return (
    <ListTools filters={filters}>
      <ChoiceFilter
        label="Key"
        name="key"
        value={key}
        onValue={(value) => filters.set({ key: value })}
        all="All keys"
        choices={keys.map(({ _id }) => [_id, nameOfKey(keys, _id)])}
      />
      <ChoiceFilter
        label="Status"
        name="status"
        value={status}
        onValue={(value) => filters.set({ status: value })}
        all="Every status"
        choices={STATUS_CHOICES}
      />
    </ListTools>
  );
}
