import { whitelistCalls } from "@ewebal/contract/calls";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";

/** Approved sender names and addresses, and requests. Key `["whitelists", id]`: the event topic "whitelists" refreshes it. */
export function whitelistsQuery(userId: string) {
  return queryOptions({
    queryKey: ["whitelists", userId],
    queryFn: async ({ signal }) => (await call(whitelistCalls.whitelists, { params: { userId }, signal })).data,
  });
}
