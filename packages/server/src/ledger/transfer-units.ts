import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { assertAmount, unitsRequired } from "./amounts.ts";
import { type Balance, balanceOf } from "./read-balance.ts";
import { findAccount, insertAccount, lockAccounts, postJournal } from "./store.ts";

export type Transfer = {
  fromUserId: string;
  toUserId: string;
  /** A UUID that the caller makes: the reference of both journals. */
  transferId: string;
  amountMilli: number;
};

/**
 * Moves free units from one customer to another: a journal in each of the two books, in one transaction, with one reference. What is held for
 * sends stays.
 *
 * @param tx open transaction; both accounts stay locked until it ends. They are locked together, in the order of their ids, so that two
 *   transfers the opposite way, and a flush of both customers, wait for each other instead of deadlocking.
 * @returns the balances afterwards.
 * @throws AppError `UNITS_REQUIRED` when fewer units are free; nothing is written.
 */
export async function transferUnits(tx: Tx, transfer: Transfer): Promise<{ from: Balance; to: Balance }> {
  const { fromUserId, toUserId, transferId, amountMilli } = transfer;
  assertAmount(amountMilli);
  const userIds = [fromUserId, toUserId].toSorted();
  if ((await lockAccounts(tx, userIds)) < 2) {
    for (const userId of userIds) await insertAccount(tx, userId);
    await lockAccounts(tx, userIds);
  }
  const journal = {
    kind: "transfer",
    reference: transferId,
    reversesNumber: null,
    note: null,
    account: "transfers",
  } as const;
  const taken = await postJournal(tx, {
    ...journal,
    userId: fromUserId,
    journalId: uuidv7(),
    amountMilli: -amountMilli,
  });
  if (taken === undefined) throw unitsRequired((await findAccount(tx, fromUserId))?.freeMilli ?? 0);
  const given = await postJournal(tx, { ...journal, userId: toUserId, journalId: uuidv7(), amountMilli });
  if (given === undefined) throw new Error(`The account ${toUserId} is locked and yet was not found`);
  return { from: balanceOf(taken), to: balanceOf(given) };
}
