import type { whitelistRoutes } from "@ewebal/contract";
import { queryOptions } from "@tanstack/react-query";
import { call, type RouteAddress } from "../../../lib/api/api.ts";

/** Without its schemas, see `public-routes.ts`. */
const whitelists: RouteAddress<typeof whitelistRoutes.whitelists> = { method: "GET", url: "/api/:userId/whitelists" };

/** Approved sender names and addresses, and requests. Key `["whitelists", id]`: the event topic "whitelists" refreshes it. */
export function whitelistsQuery(userId: string) {
  return queryOptions({
    queryKey: ["whitelists", userId],
    queryFn: async ({ signal }) => (await call(whitelists, { params: { userId }, signal })).data,
  });
}
