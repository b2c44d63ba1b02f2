import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { whitelistCalls } from "@ewebal/contract/calls";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";

export type RequestState = WhitelistRequestAnswer["state"];

/** Requests of all customers in one state, newest first, page by page. The topic "admin" refreshes them. */
export function whitelistRequestsQuery(state: RequestState) {
  return infiniteQueryOptions({
    queryKey: ["admin", "whitelists", state],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await call(whitelistCalls.viewWhitelistRequests, { query: { state, after: pageParam }, signal }),
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({ requests: pages.flatMap(({ data }) => data), hasMore: pages.at(-1)?.next !== null }),
  });
}

/** What is asked for, as a person says it. */
export function nameOf({ senderName, ip }: Pick<WhitelistRequestAnswer, "senderName" | "ip">): string {
  return senderName ?? ip ?? "";
}

export function kindOf({ senderName }: Pick<WhitelistRequestAnswer, "senderName">): string {
  return senderName === undefined ? "IP address" : "Sender ID";
}

/** The list that the address names; what waits when it names none. */
export function readRequestState(text: unknown): RequestState {
  return text === "approved" || text === "declined" ? text : "pending";
}
