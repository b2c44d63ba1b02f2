import { SegmentedControl } from "@mantine/core";
import type { CodeResultsAnswer } from "@ewebal/contract";
import { codeResultCalls } from "@ewebal/contract/calls";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { formatDay, formatPercent } from "../../../shared/traffic/outcomes.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { rangeAddress, readPeriod, resultRanges } from "../results/results-period.ts";

type Counts = Pick<CodeResultsAnswer, "sent" | "verified" | "expired">;
type Day = CodeResultsAnswer["days"][number];

const numeric = { isNumeric: true };
const columns: Column<Day>[] = [
  { title: "Day", cell: ({ day }) => formatDay(day) },
  { title: "Sent", ...numeric, cell: ({ sent }) => formatCount(sent) },
  { title: "Verified", ...numeric, cell: ({ verified }) => formatCount(verified) },
  { title: "Expired", ...numeric, cell: ({ expired }) => formatCount(expired) },
  { title: "Came back", ...numeric, cell: shareVerified },
];

/** How many of the codes that a customer's programs sent came back, day by day. */
export function CodesPage() {
  const { userId } = useSession();
  return userId === null ? <Page title="Codes">{null}</Page> : <Codes userId={userId} />;
}

function Codes({ userId }: { userId: string }) {
  const { values, set } = useAddressFilters(["from", "to", "days"]);
  const { period, range } = readPeriod(values, Date.now());
  const { from, to } = period;
  const query = useQuery({
    queryKey: ["code-results", userId, from, to],
    queryFn: async ({ signal }): Promise<CodeResultsAnswer> =>
      (await call(codeResultCalls.codeResults, { params: { userId }, query: { from, to }, signal })).data,
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.days.filter(({ sent }) => sent > 0).toReversed() ?? [];
  return (
    <Page title="Codes" intro="What came of the codes that your programs sent, by the day they were sent.">
      <SegmentedControl
        aria-label="Days"
        withItemsBorders={false}
        data={resultRanges.map((days) => ({ value: days, label: `${days} days` }))}
        value={range}
        onChange={(days) => set(rangeAddress(days))}
      />
      <Figures counts={query.data} />
      <Panel title="Codes per day">
        <ListStates
          query={query}
          rowCount={rows.length}
          empty={{
            title: "No codes were sent in these days",
            text: "Programs send and check codes with POST v1/verifications and an API key.",
            action: <ButtonLink to={paths.apiKeys}>API keys</ButtonLink>,
          }}
        >
          <DataTable caption="Codes per day" columns={columns} rows={rows} rowKey={({ day }) => day} />
        </ListStates>
      </Panel>
    </Page>
  );
}

function Figures({ counts }: { counts: Counts | undefined }) {
  return (
    <Tiles min={150} gap={12}>
      <StatCard label="Sent" value={counts && formatCount(counts.sent)} note="Codes" />
      <StatCard
        label="Verified"
        value={counts && formatCount(counts.verified)}
        note={counts === undefined ? "\u00A0" : `${shareVerified(counts)} of those sent`}
      />
      <StatCard label="Expired" value={counts && formatCount(counts.expired)} note="Never came back, or replaced" />
    </Tiles>
  );
}

function shareVerified({ sent, verified }: Counts): string {
  return formatPercent(sent === 0 ? 0 : (verified / sent) * 100);
}
