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
 * Gives back what recipients cost, once for each, however often a failure is reported. Any number in two round trips.
 *
 * @param tx open transaction; the accounts stay locked until it ends.
 * @returns thousandths of a unit that were given back now.
 * @throws AssertionError or a violation of the tables' rules if there is no such hold, or it captured less.
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
