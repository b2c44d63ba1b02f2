import { SegmentedControl } from "@mantine/core";
import type { OverviewCharts as Charts } from "@ewebal/contract";
import { overviewRanges } from "@ewebal/contract/rules";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { Email } from "../../../ui/kit/email.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { formatUnits, formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { BarList } from "../../../ui/kit/bar-list.tsx";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { managePaths } from "../admin-paths.ts";
import { overviewChartsQuery, readRange } from "./overview-queries.ts";
import { TrafficChart, UnitsChart } from "./day-charts.tsx";
import {
  type ChartCustomer,
  deliveryRate,
  formatPercent,
  outcomeSeries,
  totalOf,
  type ChartNetwork,
} from "../../../shared/traffic/outcomes.ts";

/** The charts of the business over the days in the address. */
export function OverviewCharts() {
  const filters = useAddressFilters(["days"]);
  const range = readRange(filters.values.days);
  const query = useQuery({ ...overviewChartsQuery(range), placeholderData: keepPreviousData });
  return (
    <Stack as="section" gap={16} aria-label="Charts">
      <Inline gap={8} across={16} wraps align="center">
        <SegmentedControl
          aria-label="Days"
          withItemsBorders={false}
          data={overviewRanges.map((days) => ({ value: days, label: `${days} days` }))}
          value={range}
          onChange={(days) => filters.set({ days: days === "30" ? "" : days })}
        />
        {query.data?.asOf !== undefined && query.data.asOf !== null && (
          <p className="muted small">
            Updated <RelativeTime iso={query.data.asOf} />
          </p>
        )}
      </Inline>
      <ListStates query={query} rowCount={query.data === undefined ? 0 : 1} empty={{ title: "There is no data yet" }}>
        {query.data !== undefined && <Panels charts={query.data} />}
      </ListStates>
    </Stack>
  );
}

function Panels({ charts: { days, networks, topCustomers } }: { charts: Charts }) {
  return (
    <Columns shares="equal">
      <TrafficChart days={days} />
      <UnitsChart days={days} />
      <NetworkChart networks={networks} />
      <TopCustomersChart customers={topCustomers} />
    </Columns>
  );
}

/** The customers who used the most units. */
function TopCustomersChart({ customers }: { customers: readonly ChartCustomer[] }) {
  const most = customers[0]?.unitsUsed ?? 1;
  return (
    <ChartPanel
      title="Top customers"
      rows={customers}
      rowKey={({ _id }) => _id}
      columns={[
        { title: "User Name", cell: ({ userName }) => userName },
        { title: "Email Address", cell: ({ email }) => <Email email={email} /> },
        { title: "Units used", isNumeric: true, cell: ({ unitsUsed }) => formatUnits(unitsUsed) },
      ]}
      empty="No units were used in this period."
    >
      <BarList
        color="var(--ew-chart-1)"
        bars={customers.map(({ _id: userId, userName, email, unitsUsed }) => ({
          key: userId,
          name: userName,
          to: managePaths.user(userId),
          note: <Email email={email} />,
          value: `${formatUnits(unitsUsed)} units`,
          percent: (unitsUsed / most) * 100,
        }))}
      />
    </ChartPanel>
  );
}

/** The delivery rate of each network, of recipients with a known outcome; the busiest network first. */
function NetworkChart({ networks }: { networks: readonly ChartNetwork[] }) {
  return (
    <ChartPanel
      title="Delivery rate by network"
      rows={networks}
      rowKey={({ network }) => network}
      columns={[
        { title: "Network", cell: ({ network }) => network },
        ...outcomeSeries.map(({ name, label }) => ({
          title: label,
          isNumeric: true,
          cell: ({ outcomes }: ChartNetwork) => formatCount(outcomes[name]),
        })),
        { title: "Delivery rate", isNumeric: true, cell: ({ outcomes }) => formatPercent(deliveryRate(outcomes)) },
      ]}
      empty="No messages were sent in this period."
    >
      <BarList
        color="var(--ew-chart-2)"
        bars={networks.map(({ network, outcomes }) => {
          const percent = deliveryRate(outcomes);
          return {
            key: network,
            name: network,
            note: formatCounted(totalOf(outcomes), "recipient"),
            value: formatPercent(percent),
            percent: percent ?? 0,
          };
        })}
      />
    </ChartPanel>
  );
}
