import type { WaitingAnswer } from "@ewebal/contract";
import { overviewCalls } from "@ewebal/contract/calls";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { managePaths } from "../admin-paths.ts";

/** Everything that waits for an administrator, oldest first, page by page. The topic "admin" refreshes it. */
export const waitingQuery = infiniteQueryOptions({
  queryKey: ["admin", "waiting"],
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) =>
    await call(overviewCalls.viewWaiting, { query: { after: pageParam }, signal }),
  getNextPageParam: ({ next }) => next,
  select: ({ pages }) => pages.flatMap(({ data }) => data),
});

/** How many of each kind wait, for the menu of every page; the topic "waiting" comes when that changes, and with nothing else. */
export const waitingCountsQuery = queryOptions({
  queryKey: ["waiting", "counts"],
  queryFn: async ({ signal }) => (await call(overviewCalls.viewWaitingCounts, { signal })).data,
});

/** The page on which it is decided; approvals are decided on the waiting page itself. */
export function pathOfWaiting({ _id, kind }: Pick<WaitingAnswer, "_id" | "kind">): string {
  if (kind === "deposit") return managePaths.transaction(_id);
  if (kind === "request") return paths.actionWhitelist;
  return kind === "dispute" ? paths.cardPayments : paths.waiting;
}

/** Why to look twice before deciding it, for one that the server flagged. */
export function warningOf({ kind }: Pick<WaitingAnswer, "kind">): string {
  return kind === "deposit" ? "Possible duplicate" : "Check carefully";
}
