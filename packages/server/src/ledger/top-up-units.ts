import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { AppError } from "../base/errors.ts";
import { assertAmount } from "./amounts.ts";
import type { Balance } from "./read-balance.ts";
import { balanceOf } from "./read-balance.ts";
import type { JournalKind, SystemAccount } from "./store.ts";
import { findAccount, findJournal, insertAccount, lockAccounts, postJournal } from "./store.ts";

/** Where units come from: the card provider, an accepted deposit, an administrator's hand. */
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
  /** What is paid for, once: the payment's reference, the deposit's id, the credit's key. It belongs to one customer. */
  reference: string;
  /** For the books; the customer does not see it. */
  note?: string;
};

export type TopUp = {
  journalId: string;
  amountMilli: number;
  createdAt: Date;
  /** True when this reference had been credited before; then nothing was written now. */
  isRepeat: boolean;
  balance: Balance;
};

/** Gives a customer an account. `topUpUnits` does it by itself; a customer without one has no units and can hold none. */
export async function openAccount(tx: Tx, userId: string): Promise<void> {
  await insertAccount(tx, userId);
}

/**
 * Adds units to a customer's balance, once for each reference of a source, whoever reports it first and how often.
 *
 * @param tx open transaction; the account stays locked until it ends.
 * @returns the top-up as stored, now or before, and the balance.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the reference was credited with another amount.
 */
export async function topUpUnits(tx: Tx, request: TopUpRequest): Promise<TopUp> {
  const { userId, amountMilli, reference } = request;
  assertAmount(amountMilli);
  const { kind, account } = topUpKinds[request.source];
  // Lock before looking: two reports of one payment that both looked first would both find nothing.
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
