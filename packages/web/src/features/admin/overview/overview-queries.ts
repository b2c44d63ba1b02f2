import { queryOptions } from "@tanstack/react-query";
import type { OverviewRange } from "@ewebal/contract";
import { overviewCalls } from "@ewebal/contract/calls";
import { overviewRanges } from "@ewebal/contract/rules";
import { call } from "../../../lib/api/api.ts";

/** The cards. The topic "admin" refreshes them: whatever a customer does may be one of the figures. */
export const overviewQuery = queryOptions({
  queryKey: ["admin", "overview"],
  queryFn: async ({ signal }) => (await call(overviewCalls.viewOverview, { signal })).data,
});

/** The charts. They are added up once a minute, and the topic "overview" says when. */
export function overviewChartsQuery(days: OverviewRange) {
  return queryOptions({
    queryKey: ["overview", days],
    queryFn: async ({ signal }) => (await call(overviewCalls.viewOverviewCharts, { query: { days }, signal })).data,
  });
}

/** The range that the address names; a month when it names none. */
export function readRange(text: string): OverviewRange {
  return overviewRanges.find((range) => range === text) ?? "30";
}
