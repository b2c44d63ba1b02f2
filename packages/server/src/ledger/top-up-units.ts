import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { AppError } from "../base/errors.ts";
import { assertAmount } from "./amounts.ts";
import type { Balance } from "./read-balance.ts";
import { balanceOf } from "./read-balance.ts";
import type { JournalKind, SystemAccount } from "./store.ts";
import { findAccount, findJournal, insertAccount, lockAccounts, postJournal } from "./store.ts";

/** Where units come from: a card payment, an accepted deposit, a credit by an administrator. */
export type TopUpSource = "card" | "bank" | "manual";

export const topUpKinds: Record<TopUpSource, { kind: JournalKind; account: SystemAccount }> = {
  card: { kind: "card_payment", account: "card_clearing" },
  bank: { kind: "bank_deposit", account: "bank_clearing" },
  manual: { kind: "manual_credit", account: "manual_credit" },
};

export type TopUpRequest = {
  userId: string;
  amountMilli: number;
  source: TopUpSource;
  /** Identifies the payment, deposit or credit, which is credited once. It belongs to one customer. */
  reference: string;
  /** A note in the journal, which the customer does not see. */
  note?: string;
};

export type TopUp = {
  journalId: string;
  amountMilli: number;
  createdAt: Date;
  /** True when this reference was credited before. Then this call wrote nothing. */
  isRepeat: boolean;
  balance: Balance;
};

/** Opens an account. `topUpUnits` does that by itself. A customer without an account has no units and can hold none. */
export async function openAccount(tx: Tx, userId: string): Promise<void> {
  await insertAccount(tx, userId);
}

/**
 * Adds units to a customer's balance, once for each reference of a source, however often it is reported.
 *
 * @param tx open transaction; the account stays locked until it ends.
 * @returns the stored top-up, new or earlier, and the balance.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the reference was credited with another amount.
 */
export async function topUpUnits(tx: Tx, request: TopUpRequest): Promise<TopUp> {
  const { userId, amountMilli, reference } = request;
  assertAmount(amountMilli);
  const { kind, account } = topUpKinds[request.source];
  // Lock before reading: two reports of one payment that both read first would both find nothing.
  if ((await lockAccounts(tx, [userId])) === 0) {
    await openAccount(tx, userId);
    await lockAccounts(tx, [userId]);
  }
  const earlier = await findJournal(tx, { userId, kind, reference });
  if (earlier !== undefined) {
    if (earlier.amountMilli !== amountMilli) throw new AppError("IDEMPOTENCY_CONFLICT");
    return { ...pick(earlier), isRepeat: true, balance: balanceOf(await findAccount(tx, userId)) };
  }
  const journal = { userId, journalId: uuidv7(), kind, reference, reversesNumber: null, note: request.note ?? null };
  const posted = await postJournal(tx, { ...journal, amountMilli, account });
  if (posted === undefined) throw new Error(`The account ${userId} is locked and yet was not found`);
  return { ...pick(posted), isRepeat: false, balance: balanceOf(posted) };
}

function pick(journal: {
  journalId: string;
  amountMilli: number;
  createdAt: Date;
}): Omit<TopUp, "isRepeat" | "balance"> {
  return { journalId: journal.journalId, amountMilli: journal.amountMilli, createdAt: journal.createdAt };
}
