import { type Tx, withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { type FlagChange, setApproved, setBlocked } from "../../accounts/index.ts";
import { recordAudit } from "../audit/record-audit.ts";

export type FlagRequest = { adminId: string; userId: string; clientAddress: string };

/**
 * The four switches of a customer. Pressing one twice, or two administrators at once, is one effect and one audit entry;
 * the second is told that it was so already.
 *
 * @throws AppError `NOT_FOUND`.
 */
export const flagUser = {
  block: flag("block-user", async (deps, tx, userId) => await setBlocked(deps, tx, userId, true), "blocked"),
  unblock: flag("unblock-user", async (deps, tx, userId) => await setBlocked(deps, tx, userId, false), "unblocked"),
  approve: flag("approve-user", async (_deps, tx, userId) => await setApproved(tx, userId, true), "approved"),
  unapprove: flag(
    "unapprove-user",
    async (_deps, tx, userId) => await setApproved(tx, userId, false),
    "not approved any more",
  ),
};

/** @param outcome how the customer is afterwards: "Ada is blocked". */
function flag(action: string, act: (deps: Deps, tx: Tx, userId: string) => Promise<FlagChange>, outcome: string) {
  return async (deps: Deps, { adminId, userId, clientAddress }: FlagRequest): Promise<{ message: string }> =>
    await withTransaction(deps.db, async (tx) => {
      const { userName, isChanged } = await act(deps, tx, userId);
      if (!isChanged) return { message: `Nothing to do: ${userName} is ${outcome} already` };
      await recordAudit(deps, tx, { adminId, action, subjectId: userId, clientAddress });
      return { message: `${userName} is ${outcome}` };
    });
}
