import type { PublicSettings } from "@ewebal/contract";
import { siteCalls } from "@ewebal/contract/calls";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./api/api.ts";

/** The brand and the form rules change with a restart of the server, so one answer serves a visit. */
export const brandQuery = queryOptions({
  queryKey: ["brand"],
  queryFn: async ({ signal }) => (await call(siteCalls.brand, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** @returns undefined until the answer is there; pages then show the name's place empty rather than a wrong name. */
export function useBrand(): PublicSettings | undefined {
  return useQuery(brandQuery).data;
}
