import { queryOptions } from "@tanstack/react-query";
import type { OverviewRange } from "@ewebal/contract";
import { overviewCalls } from "@ewebal/contract/calls";
import { overviewRanges } from "@ewebal/contract/rules";
import { call } from "../../../lib/api/api.ts";

/** The figures. The topic "admin" refreshes them: most actions of a customer change one of them. */
export const overviewQuery = queryOptions({
  queryKey: ["admin", "overview"],
  queryFn: async ({ signal }) => (await call(overviewCalls.viewOverview, { signal })).data,
});

/** The charts. They are computed once a minute, and the topic "overview" announces it. */
export function overviewChartsQuery(days: OverviewRange) {
  return queryOptions({
    queryKey: ["overview", days],
    queryFn: async ({ signal }) => (await call(overviewCalls.viewOverviewCharts, { query: { days }, signal })).data,
  });
}

/** The range in the address; 30 days when there is none. */
export function readRange(text: string): OverviewRange {
  return overviewRanges.find((range) => range === text) ?? "30";
}
