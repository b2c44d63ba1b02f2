import type { UserAnswer } from "@ewebal/contract";
import { accountCalls } from "@ewebal/contract/calls";
import { queryOptions, skipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { useSession } from "../../lib/session/session.ts";

/**
 * The record of the signed-in customer or administrator. Key `["user", id]`: the event topic "user" refreshes it, and the
 * session reads it again to tell the server that somebody is there.
 */
export function ownRecordQuery<T>(id: string | null, read: (id: string, signal: AbortSignal) => Promise<T>) {
  return queryOptions({
    queryKey: ["user", id],
    queryFn: id === null ? skipToken : async ({ signal }): Promise<T> => await read(id, signal),
  });
}

export function userQuery(id: string | null) {
  return ownRecordQuery(
    id,
    async (userId, signal): Promise<UserAnswer> =>
      (await call(accountCalls.viewOneUser, { params: { userId }, signal })).data,
  );
}

/** The signed-in customer with live units and counts. */
export function useCurrentUser(): UseQueryResult<UserAnswer> {
  return useQuery(userQuery(useSession().userId));
}
