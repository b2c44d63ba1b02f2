import type { WaitingAnswer } from "@ewebal/contract";
import { overviewCalls } from "@ewebal/contract/calls";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { transactionPath } from "../admin-paths.ts";

/** Everything that waits for an administrator, oldest first, page by page. The topic "admin" refreshes it. */
export const waitingQuery = infiniteQueryOptions({
  queryKey: ["admin", "waiting"],
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) =>
    await call(overviewCalls.viewWaiting, { query: { after: pageParam }, signal }),
  getNextPageParam: ({ next }) => next,
  select: ({ pages }) => pages.flatMap(({ data }) => data),
});

/** The page on which it is decided; approvals are decided on the waiting page itself. */
export function pathOfWaiting({ _id, kind }: Pick<WaitingAnswer, "_id" | "kind">): string {
  if (kind === "deposit") return transactionPath(_id);
  if (kind === "request") return paths.actionWhitelist;
  return kind === "dispute" ? paths.cardPayments : paths.waiting;
}
