import type { RateRow } from "@ewebal/contract";
import { siteCalls } from "@ewebal/contract/calls";
import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { retryAfterFailure } from "../../lib/api/query.ts";

/** Administrators may change a rate at any time. Signed-in people get it at once by an event; a visitor gets it when the tab is shown again. */
const FRESH_MS = 60_000;
/** The server's clock decides; by ours, its moment has always come when this is over. */
const AFTER_CHANGE_MS = 250;
/** When our clock is ahead of the server's. */
const CLOCK_BEHIND_MS = 10_000;
/** Timers of browsers end at 24 days. */
const INTERVAL_MS_MAX = 86_400_000;

export type RatesAnswer = {
  data: RateRow[];
  /** When the next planned rate begins to hold. */
  nextChangeAt: string | null;
};

export const ratesQuery = queryOptions({
  queryKey: ["rates"],
  queryFn: async ({ signal }): Promise<RatesAnswer> => await call(siteCalls.rates, { signal }),
  staleTime: FRESH_MS,
  refetchInterval: (query) => retryAfterFailure(query) || untilChangeMs(query.state.data?.nextChangeAt ?? null),
});

/** @returns false when nothing is planned. */
export function untilChangeMs(nextChangeAt: string | null, nowMs: number = Date.now()): number | false {
  if (nextChangeAt === null) return false;
  const leftMs = Date.parse(nextChangeAt) - nowMs;
  return leftMs <= 0 ? CLOCK_BEHIND_MS : Math.min(leftMs + AFTER_CHANGE_MS, INTERVAL_MS_MAX);
}

export const rowsOf = ({ data }: RatesAnswer): RateRow[] => data;

/** Naira for one page, by country, in the order of their names, as the list says it: on public pages everybody is shown the same. */
export function useListRates(): UseQueryResult<RateRow[]> {
  return useQuery({ ...ratesQuery, select: rowsOf });
}
