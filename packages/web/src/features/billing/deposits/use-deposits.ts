import type { DepositAnswer } from "@ewebal/contract";
import { depositCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainError, fixedTexts } from "../../../lib/texts/catalogue-texts.ts";
import { readDepositState } from "../../../shared/billing/deposits.ts";
import { useCursorList, type CursorList } from "../../../lib/api/use-cursor-list.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** A customer's own deposits. Key `["transfers", ...]`: the event topic "transfers" refreshes it. */
export function useDeposits(userId: string, filters: { search: string; state: string }): CursorList<DepositAnswer> {
  const { search } = filters;
  const state = readDepositState(filters.state);
  return useCursorList({
    queryKey: ["transfers", userId, search, state],
    read: async (after, signal) =>
      await call(depositCalls.userTransferDetails, { params: { userId }, query: { search, state, after }, signal }),
  });
}

/** Asks, deletes, and says how it went. */
export function useDeleteDeposit(userId: string): (deposit: DepositAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return async (deposit) => {
    const isPending = !deposit.verified && !deposit.declined;
    const text = isPending
      ? "It is withdrawn: management will neither verify it nor credit units for it."
      : "It leaves your list. The record, and any units that were credited, stay.";
    if (!(await confirm({ title: "About to delete transaction?", text }))) return;
    try {
      await call(depositCalls.deleteDetails, { params: { userId, transferId: deposit._id } });
      showNotice({ title: fixedTexts.deleted });
    } catch (error) {
      showNotice(explainError("transferDelete", error));
    }
    // What the page shows may be old, also and above all when deleting failed: everything on it is read again.
    await queryClient.invalidateQueries();
  };
}
