import type { RateRow } from "@ewebal/contract";
import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "./api.ts";
import { publicRoutes } from "./public-routes.ts";

/** Administrators may change a rate at any time; a visitor who stays sees it with the next look at the tab. */
const freshMs = 60_000;

export const ratesQuery = queryOptions({
  queryKey: ["rates"],
  queryFn: async ({ signal }): Promise<RateRow[]> => (await call(publicRoutes.rates, { signal })).data,
  staleTime: freshMs,
});

/** Naira for one page, by country, in the order of their names. */
export function useRates(): UseQueryResult<RateRow[]> {
  return useQuery(ratesQuery);
}
