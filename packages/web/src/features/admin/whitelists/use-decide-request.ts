import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { whitelistCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice, type Notice } from "../../../ui/feedback/notices.tsx";

export type Decision = { state: "approved" } | { state: "declined"; reason: string };

type DecideInput = {
  request: WhitelistRequestAnswer;
  decision: Decision;
};

/** Approves or declines a request. Whatever came of it, the lists are read again: someone else may have been quicker. */
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

/** Being second is no error: the request is decided, only not by this person. */
export function explainDecisionError(error: Error): Notice {
  if (error instanceof ApiError && error.code === "ALREADY_DECIDED") {
    return {
      tone: "info",
      title: error.message,
      text: "Another administrator was quicker. The list shows how it was decided.",
    };
  }
  return explainError("adminWhitelist", error);
}
