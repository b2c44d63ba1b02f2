import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { AppError } from "../base/errors.ts";
import { assertAmount, unitsRequired } from "./amounts.ts";
import type { Balance } from "./read-balance.ts";
import { balanceOf } from "./read-balance.ts";
import { findAccount, findJournal, lockAccounts, postJournal, sumReversals } from "./store.ts";
import { topUpKinds, type TopUpSource } from "./top-up-units.ts";

export type Reversal = {
  userId: string;
  source: TopUpSource;
  reference: string;
  /** Takes back this much of the top-up, once for each key. Without a part, the whole top-up is taken back. */
  part?: { key: string; amountMilli: number };
  /** For the books; the customer does not see it. */
  note?: string;
};

/**
 * Takes a top-up back with a journal that names it, as a whole or in parts, each once. A repeat changes nothing.
 *
 * @param tx open transaction; the account stays locked until it ends.
 * @throws AppError `NOT_FOUND` if this reference was never credited to this customer.
 * @throws AppError `STATE_CONFLICT` if more would be taken back than the top-up brought.
 * @throws AppError `UNITS_REQUIRED` if the units are spent or held: a balance is never negative.
 */
export async function reverseTopUp(tx: Tx, request: Reversal): Promise<{ isRepeat: boolean; balance: Balance }> {
  const { userId, part } = request;
  const { kind, account } = topUpKinds[request.source];
  if (part !== undefined) assertAmount(part.amountMilli);
  await lockAccounts(tx, [userId]);
  const journal = await findJournal(tx, { userId, kind, reference: request.reference });
  if (journal === undefined) throw new AppError("NOT_FOUND");
  const reference = [kind, request.reference, ...(part === undefined ? [] : [part.key])].join(":");
  const earlier = await findJournal(tx, { userId, kind: "reversal", reference });
  if (earlier !== undefined) return { isRepeat: true, balance: balanceOf(await findAccount(tx, userId)) };

  const amountMilli = part?.amountMilli ?? journal.amountMilli;
  const takenMilli = await sumReversals(tx, { userId, reversesNumber: journal.number });
  if (takenMilli + amountMilli > journal.amountMilli) throw new AppError("STATE_CONFLICT");
  const reversal = { userId, journalId: uuidv7(), kind: "reversal" as const, reference, note: request.note ?? null };
  const posted = await postJournal(tx, {
    ...reversal,
    reversesNumber: journal.number,
    amountMilli: -amountMilli,
    account,
  });
  if (posted === undefined) throw unitsRequired(balanceOf(await findAccount(tx, userId)).freeMilli);
  return { isRepeat: false, balance: balanceOf(posted) };
}
