import type { AdminAnswer } from "@ewebal/contract";
import { queryOptions, skipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "./api.ts";
import { publicRoutes } from "./public-routes.ts";
import { useSession } from "./session.ts";

/**
 * Key `["user", id]`, as the customer's own record has: it is what the session reads again to tell the server that somebody
 * is there.
 */
export function adminQuery(adminId: string | null) {
  return queryOptions({
    queryKey: ["user", adminId],
    queryFn:
      adminId === null
        ? skipToken
        : async ({ signal }): Promise<AdminAnswer> => (await call(publicRoutes.viewOneAdmin, { params: { adminId }, signal })).data,
  });
}

/** The signed-in administrator. */
export function useCurrentAdmin(): UseQueryResult<AdminAnswer> {
  return useQuery(adminQuery(useSession().adminId));
}
