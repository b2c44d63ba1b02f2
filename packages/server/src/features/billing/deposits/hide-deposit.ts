import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange } from "../../../events/index.ts";
import { lapseApprovals } from "../../approvals/index.ts";
import { lockDeposit, updateHidden, type DepositKey } from "./deposit-store.ts";

/**
 * Takes a deposit out of its customer's list. One that waits is withdrawn with it; the record, the receipt and any credit
 * stay. Doing it again changes nothing.
 *
 * @throws AppError `NOT_FOUND`, also for another customer's.
 */
export async function hideDeposit(deps: Deps, key: DepositKey): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const deposit = await lockDeposit(tx, key);
    if (deposit === undefined) throw new AppError("NOT_FOUND");
    if (deposit.hiddenAt !== null) return;
    await updateHidden(tx, key, deps.clock.now());
    await lapseApprovals(deps, tx, "deposit", [key.depositId]);
    await publishChange(
      tx,
      { userId: key.userId, topics: ["transfers", "user"] },
      { admin: true, topics: ["transfers", "admin"] },
    );
  });
}
