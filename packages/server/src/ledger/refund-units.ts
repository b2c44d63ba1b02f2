import assert from "node:assert/strict";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { assertAmount } from "./amounts.ts";
import { insertRefunds } from "./hold-store.ts";
import { lockAccounts } from "./store.ts";

export type Refund = {
  userId: string;
  holdId: string;
  /** The recipient's place in the send, such as `<messageId>:<position>`; each is refunded once. */
  reference: string;
  amountMilli: number;
};

/**
 * Refunds what recipients cost, each once, however often their failure is reported. Any number takes two round trips.
 *
 * @param tx open transaction; the accounts stay locked until it ends.
 * @returns the thousandths of a unit that this call refunded.
 * @throws AssertionError, or the error of a constraint, if a hold does not exist or was charged less.
 */
export async function refundUnits(tx: Tx, refunds: Refund[]): Promise<number> {
  const once = new Map(refunds.map((refund) => [`${refund.userId} ${refund.reference}`, refund]));
  if (once.size === 0) return 0;
  const rows = [...once.values()];
  for (const row of rows) assertAmount(row.amountMilli);
  const userIds = [...new Set(rows.map((row) => row.userId))];
  assert.equal(await lockAccounts(tx, userIds), userIds.length, "Units are refunded to somebody who has no account");
  const refunded = await insertRefunds(
    tx,
    rows.map((row) => ({ ...row, journalId: uuidv7() })),
  );
  return refunded.reduce((total, row) => total + row.refundedMilli, 0);
}
