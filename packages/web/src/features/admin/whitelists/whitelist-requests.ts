import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { whitelistCalls } from "@ewebal/contract/calls";
import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, ApiError } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice, type Notice } from "../../../ui/feedback/notices.tsx";

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

/** The requested sender name or IP address. */
export function nameOf({ senderName, ip }: Pick<WhitelistRequestAnswer, "senderName" | "ip">): string {
  return senderName ?? ip ?? "";
}

export function kindOf({ senderName }: Pick<WhitelistRequestAnswer, "senderName">): string {
  return senderName === undefined ? "IP address" : "Sender ID";
}

/** The state in the address; pending when there is none. */
export function readRequestState(text: unknown): RequestState {
  return text === "approved" || text === "declined" ? text : "pending";
}

type Decision = { state: "approved" } | { state: "declined"; reason: string };

type DecideInput = {
  request: WhitelistRequestAnswer;
  decision: Decision;
};

/**
 * Approves or declines a request. In any case the lists are read again: another administrator may have decided first.
 */
export function useDecideRequest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ request, decision }: DecideInput) => {
      const params = { requestId: request._id };
      return decision.state === "approved"
        ? await call(whitelistCalls.approveWhitelistRequest, { params })
        : await call(whitelistCalls.declineWhitelistRequest, { params, body: { reason: decision.reason } });
    },
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainDecisionError(error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["admin", "whitelists"] }),
  });
}

/** Deciding second is no error: another administrator has decided the request. */
function explainDecisionError(error: Error): Notice {
  if (error instanceof ApiError && error.code === "ALREADY_DECIDED") {
    return {
      tone: "info",
      title: error.message,
      text: "Another administrator decided first. The list shows the decision.",
    };
  }
  return explainError("adminWhitelist", error);
}
