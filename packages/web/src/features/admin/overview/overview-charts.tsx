import "@mantine/charts/styles.layer.css";
import { SegmentedControl } from "@mantine/core";
import type { OverviewCharts as Charts } from "@ewebal/contract";
import { overviewRanges } from "@ewebal/contract/rules";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { Columns } from "../../../ui/layout/columns.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { NetworkChart } from "./network-chart.tsx";
import { overviewChartsQuery, readRange } from "./overview-queries.ts";
import { TopCustomersChart } from "./top-customers-chart.tsx";
import { TrafficChart } from "./traffic-chart.tsx";
import { UnitsChart } from "./units-chart.tsx";

/** How the business goes, over the days that the address names. */
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
            Added up <RelativeTime iso={query.data.asOf} />
          </p>
        )}
      </Inline>
      <ListStates query={query} rowCount={query.data === undefined ? 0 : 1} empty={{ title: "There is nothing yet" }}>
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
