import type { UserAnswer } from "@ewebal/contract";
import { accountCalls, adminUserCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";

/** Enough to choose from; with more customers, people type a part of the name. */
const MATCHES_MAX = 50;
const NEWEST_FRESH_MS = 60_000;

/** Customers whose names, e-mail or number contain a text, sorted by e-mail; `hasMore` when there are more. */
export function customerSearchQuery(search: string) {
  return queryOptions({
    queryKey: ["admin", "users", search],
    queryFn: async ({ signal }) => {
      const { data, next } = await call(adminUserCalls.viewAllUsers, {
        query: { search, sort: "email", limit: String(MATCHES_MAX) },
        signal,
      });
      return { users: data, hasMore: next !== null };
    },
  });
}

/** One customer with the current units: the topic "admin" refreshes it. */
export function customerQuery(userId: string) {
  return queryOptions({
    queryKey: ["admin", "user", userId],
    queryFn: async ({ signal }): Promise<UserAnswer> =>
      (await call(accountCalls.viewOneUser, { params: { userId }, signal })).data,
  });
}

/**
 * The newest customers, as many as one answer holds; `hasMore` when there are more. The key is not under "admin": that
 * topic comes
 * with every send of every customer, and none of them registers anybody.
 */
export const newestCustomersQuery = queryOptions({
  queryKey: ["newest-customers"],
  staleTime: NEWEST_FRESH_MS,
  queryFn: async ({ signal }) => {
    const { data, next } = await call(adminUserCalls.viewAllUsers, {
      query: { limit: String(limits.listRowsMax) },
      signal,
    });
    return { users: data, hasMore: next !== null };
  },
});
