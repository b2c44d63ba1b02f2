import type { DepositAnswer } from "@ewebal/contract";
import { depositCalls } from "@ewebal/contract/calls";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { readDepositState } from "../../../shared/billing/deposits.ts";
import { useCursorList, type CursorList } from "../../../lib/api/use-cursor-list.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";

export const depositFilters = ["search", "state", "from", "to", "flagged"] as const;
type DepositFilters = Readonly<Record<(typeof depositFilters)[number], string>>;

/** The value in the address; the router would read `true` as a boolean. */
export const FLAGGED_ONLY = "yes";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** Only values that the server takes; an address may contain anything. */
function readFilters({ search, state, from, to, flagged }: DepositFilters) {
  return {
    search,
    state: readDepositState(state),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
    ...(flagged === FLAGGED_ONLY && { flagged: "true" as const }),
  };
}

/**
 * Deposits, newest first. Key `["transfers", ...]`: the event topic "transfers" refreshes it.
 *
 * @param userId the customer; undefined for all customers.
 */
export function useDeposits(userId: string | undefined, filters: DepositFilters): CursorList<DepositAnswer> {
  const { flagged, ...query } = readFilters(filters);
  return useCursorList({
    queryKey: ["transfers", userId ?? "all", query, flagged],
    read: async (after, signal) =>
      userId === undefined
        ? await call(depositCalls.viewAllTransactions, { query: { ...query, flagged, after }, signal })
        : await call(depositCalls.userTransferDetails, { params: { userId }, query: { ...query, after }, signal }),
  });
}

/** One deposit with its duplicates. */
export function depositQuery(transferId: string) {
  return queryOptions({
    queryKey: ["transfers", "one", transferId],
    queryFn: async ({ signal }): Promise<DepositAnswer> =>
      (await call(depositCalls.viewOneTransaction, { params: { transferId }, signal })).data,
  });
}

type DepositDecision = { kind: "credit"; units: string } | { kind: "decline"; reason: string };

type DecideOptions = {
  deposit: DepositAnswer;
  adminId: string;
  /** Called when the server has stored the decision. */
  onDone: () => void;
};

/** Accepts or declines a deposit, shows the server's answer, and reads the deposit again. */
export function useDecideDeposit({ deposit, adminId, onDone }: DecideOptions) {
  const queryClient = useQueryClient();
  const params = { userId: deposit.userID, transferId: deposit._id, adminId };
  return useMutation({
    mutationFn: async (decision: DepositDecision) =>
      decision.kind === "credit"
        ? await call(depositCalls.creditUser, { params, body: { units: decision.units } })
        : await call(depositCalls.declinedTransaction, { params, body: { reason: decision.reason } }),
    onSuccess: ({ message, data }) => {
      if (isDeposit(data)) queryClient.setQueryData(depositQuery(deposit._id).queryKey, data);
      showNotice({ title: message, tone: isDeposit(data) ? "ok" : "info" });
      onDone();
    },
    // Also after a refusal: another administrator may have decided a moment ago.
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["transfers"] }),
  });
}

/** The other kind of answer is the id of an approval that waits for a second administrator. */
function isDeposit(data: DepositAnswer | { _id: string }): data is DepositAnswer {
  return "verified" in data;
}
