import type { UserAnswer } from "@ewebal/contract";
import { queryOptions, skipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "./api.ts";
import { publicRoutes } from "./public-routes.ts";
import { useSession } from "./session.ts";

/** Key `["user", id]`: the event topic "user" refreshes it. */
export function userQuery(userId: string | null) {
  return queryOptions({
    queryKey: ["user", userId],
    queryFn:
      userId === null
        ? skipToken
        : async ({ signal }): Promise<UserAnswer> => (await call(publicRoutes.viewOneUser, { params: { userId }, signal })).data,
  });
}

/** The signed-in customer with live units and counts. */
export function useCurrentUser(): UseQueryResult<UserAnswer> {
  return useQuery(userQuery(useSession().userId));
}
