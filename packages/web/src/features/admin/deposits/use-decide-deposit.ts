import type { DepositAnswer } from "@ewebal/contract";
import { depositCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { transactionQuery } from "./deposit-queries.ts";

export type TransactionDecision = { kind: "credit"; units: string } | { kind: "decline"; reason: string };

type DecideOptions = {
  deposit: DepositAnswer;
  adminId: string;
  /** Called when the server has taken the decision. */
  onDone: () => void;
};

/** Accepts or declines a deposit, says what the server answered, and shows what has become of it. */
export function useDecideTransaction({ deposit, adminId, onDone }: DecideOptions) {
  const queryClient = useQueryClient();
  const params = { userId: deposit.userID, transferId: deposit._id, adminId };
  return useMutation({
    mutationFn: async (decision: TransactionDecision) =>
      decision.kind === "credit"
        ? await call(depositCalls.creditUser, { params, body: { units: decision.units } })
        : await call(depositCalls.declinedTransaction, { params, body: { reason: decision.reason } }),
    onSuccess: ({ message, data }) => {
      if (isDeposit(data)) queryClient.setQueryData(transactionQuery(deposit._id).queryKey, data);
      showNotice({ title: message, tone: isDeposit(data) ? "ok" : "info" });
      onDone();
    },
    // Also after a refusal: somebody else may have decided a moment ago.
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["transfers"] }),
  });
}

/** The other answer is the id of what waits for a second administrator. */
function isDeposit(data: DepositAnswer | { _id: string }): data is DepositAnswer {
  return "verified" in data;
}
