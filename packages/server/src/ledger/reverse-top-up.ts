import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import type { Balance } from "./read-balance.ts";
import { balanceOf } from "./read-balance.ts";
import { findAccount, findJournal, lockAccounts, postJournal } from "./store.ts";
import { topUpKinds, type TopUpSource } from "./top-up-units.ts";
import { unitsRequired } from "./units-required.ts";

/**
 * Takes a top-up back with a journal that names it, once. Repeating it changes nothing.
 *
 * @param tx open transaction; the account stays locked until it ends.
 * @throws AppError `NOT_FOUND` if this reference was never credited to this customer.
 * @throws AppError `UNITS_REQUIRED` if the units are spent or held; a customer never becomes negative.
 */
export async function reverseTopUp(
  tx: Tx,
  request: { userId: string; source: TopUpSource; reference: string; note?: string },
): Promise<{ isRepeat: boolean; balance: Balance }> {
  const { userId } = request;
  const { kind, account } = topUpKinds[request.source];
  await lockAccounts(tx, [userId]);
  const journal = await findJournal(tx, { userId, kind, reference: request.reference });
  if (journal === undefined) throw new AppError("NOT_FOUND");
  const reference = `${kind}:${request.reference}`;
  const earlier = await findJournal(tx, { userId, kind: "reversal", reference });
  if (earlier !== undefined) return { isRepeat: true, balance: balanceOf(await findAccount(tx, userId)) };

  const reversal = { userId, journalId: uuidv7(), kind: "reversal" as const, reference, note: request.note ?? null };
  const posted = await postJournal(tx, {
    ...reversal,
    reversesNumber: journal.number,
    amountMilli: -journal.amountMilli,
    account,
  });
  if (posted === undefined) throw unitsRequired(balanceOf(await findAccount(tx, userId)).freeMilli);
  return { isRepeat: false, balance: balanceOf(posted) };
}
