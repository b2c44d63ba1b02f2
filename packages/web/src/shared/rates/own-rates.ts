import type { RateRow } from "@ewebal/contract";
import { priceCalls } from "@ewebal/contract/calls";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { useSession } from "../../lib/session/session.ts";
import { ratesQuery, rowsOf, type RatesAnswer } from "./rates.ts";

/** What a page costs whoever is signed in: the list, with a customer's own prices and their tier. A file apart from the list, which every visitor fetches. */
export function useRates(): UseQueryResult<RateRow[]> {
  const { userId } = useSession();
  const own = {
    queryKey: ["rates", "own", userId ?? ""],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RatesAnswer> =>
      await call(priceCalls.ownRates, { params: { userId: userId ?? "" }, signal }),
  };
  return useQuery({ ...ratesQuery, ...(userId !== null && own), select: rowsOf });
}
