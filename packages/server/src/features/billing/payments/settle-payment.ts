import { MILLI_PER_UNIT } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { paymentChanged, paymentSettled, publishChange } from "../../../events/index.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { readBalance, topUpUnits } from "../../../ledger/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { recordEvent } from "../../../outbox/index.ts";
import { followDecline, followEnd, followPaid, sealCard } from "../auto-top-up/follow-charge.ts";
import type { KeptCard } from "../auto-top-up/auto-top-up-store.ts";
import { issueInvoice } from "../invoices/issue-invoice.ts";
import { findCardProvider, type ProviderMode } from "./card-provider.ts";
import { applyWaitingChargebacks } from "./chargebacks/apply-chargeback.ts";
import { judgeTransaction } from "./judge-transaction.ts";
import { problemMail, receiptMail } from "./payment-mails.ts";
import { isPaid } from "./payment-states.ts";
import {
  findPayment,
  findPaymentByReference,
  markEnded,
  markPaid,
  markProblem,
  markUnpaid,
  type Payment,
} from "./payment-store.ts";
import type { ProviderTransaction } from "./paystack/paystack-answers.ts";

/**
 * Asks the provider about a payment and does what its answer means. The browser that returns, the provider's event and the
 * reconciler all come through here, in any order, any number of times and at once; the units arrive once.
 *
 * @returns `paid` also when somebody else credited it; `unknown` when the provider has never heard of it.
 * @throws ProviderUnclearError when the provider cannot be asked; nothing has changed then.
 */
export async function settlePayment(deps: Deps, payment: Payment): Promise<"paid" | "unpaid" | "unknown"> {
  if (isPaid(payment.state)) return "paid";
  const provider = await findCardProvider(deps);
  // The real provider does not know payments of the sandbox, nor the sandbox those of the provider.
  if (provider?.isSandbox !== payment.isSandbox) return "unknown";
  const outcome = await provider.find(payment.reference);
  if (outcome.kind === "unknown") return "unknown";
  return (await recordAnswer(deps, payment, outcome.transaction, provider.mode)) ? "paid" : "unpaid";
}

/** Records what the provider said, in one transaction that makes no call. @returns whether the payment is paid now. */
export async function recordAnswer(
  deps: Deps,
  payment: Payment,
  transaction: ProviderTransaction,
  mode: ProviderMode | undefined,
): Promise<boolean> {
  const verdict = judgeTransaction(payment, transaction, mode);
  const card = verdict.kind === "paid" ? await sealCard(deps, payment, transaction) : undefined;
  await withTransaction(deps.db, async (tx) => {
    if (verdict.kind === "paid") await credit(deps, tx, payment, { transaction, card });
    else if (verdict.kind === "unpaid") await noteUnpaid(deps, tx, payment, verdict);
    else await noteProblem(deps, tx, payment, verdict.problem);
  });
  return verdict.kind === "paid";
}

/** For a charge that the provider did not take: it knows no transaction that could be asked about. */
export async function recordDecline(deps: Deps, payment: Payment, status: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => await noteUnpaid(deps, tx, payment, { status, isDeclined: true }));
}

async function noteUnpaid(
  deps: Deps,
  tx: Tx,
  payment: Payment,
  { status, isDeclined }: { status: string; isDeclined: boolean },
): Promise<void> {
  const isChanged = await markUnpaid(tx, payment, { state: isDeclined ? "failed" : "open", providerStatus: status });
  if (!isChanged) return;
  if (isDeclined) await followDecline(deps, tx, payment);
  await publishChange(tx, paymentChanged(payment.userId));
}

async function noteProblem(deps: Deps, tx: Tx, payment: Payment, problem: string): Promise<void> {
  if (!(await markProblem(tx, payment, problem))) return;
  deps.log.error({ reference: payment.reference, problem }, "a card payment does not fit");
  await writeMail(deps, tx, problemMail(deps.config, payment, problem));
}

async function credit(
  deps: Deps,
  tx: Tx,
  payment: Payment,
  { transaction: { channel, id }, card }: { transaction: ProviderTransaction; card: KeptCard | undefined },
): Promise<void> {
  const { userId, reference, units } = payment;
  // Of several callers only one passes here; the ledger would also refuse a second top-up of this reference.
  const isFirst = await markPaid(tx, payment, {
    now: deps.clock.now(),
    channel: channel?.slice(0, 40) ?? null,
    providerId: id?.slice(0, 40) ?? null,
  });
  if (!isFirst) return;
  await topUpUnits(tx, { userId, amountMilli: units * MILLI_PER_UNIT, source: "card", reference });
  const { totalKobo: grossKobo, isSandbox } = payment;
  await issueInvoice(deps, tx, {
    userId,
    kind: "card",
    reference,
    grossKobo,
    isSandbox,
    unitsMilli: units * MILLI_PER_UNIT,
  });
  await recordEvent(tx, { userId, type: "payment.credited", data: { units, cause: "card" } });
  await applyWaitingChargebacks(deps, tx, { ...payment, state: "paid" });
  // After the chargebacks: what they set aside or take back is not available.
  const { freeMilli } = await readBalance(tx, userId);
  await followPaid(tx, payment, { card, freeMilli });
  await writeMail(deps, tx, receiptMail(deps.config, payment, freeMilli));
  await publishChange(tx, paymentSettled(userId));
}

/** Stops the checks of a payment that nobody will pay any more. A success that is reported later still counts. */
export async function endPayment(
  deps: Deps,
  payment: Pick<Payment, "userId" | "reference" | "isAutomatic">,
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if (!(await markEnded(tx, payment))) return;
    await followEnd(tx, payment);
    await publishChange(tx, paymentChanged(payment.userId));
  });
}

/** Reads the payment again, because others may have changed it. */
export async function readAgain(deps: Pick<Deps, "db">, payment: Payment): Promise<Payment> {
  return (await findPayment(deps.db, payment)) ?? payment;
}

export const SETTLE_PAYMENT = "settle-payment";

/** Runs after an event of the provider and asks the provider, because an event alone credits nothing. */
export const settlePaymentQueue: JobQueue = {
  name: SETTLE_PAYMENT,
  retriesMax: 8,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 600,
  runSecondsMax: 60,
  concurrency: 4,
  handle: async (deps, { reference = "" }) => {
    const payment = await findPaymentByReference(deps.db, reference);
    if (payment !== undefined) await settlePayment(deps, payment);
  },
};

/**
 * Checks for the customer whether a payment has arrived, and credits it when it has. May be repeated.
 *
 * @throws AppError `NOT_FOUND`, also for another customer's payment; `NOT_PAID`; `RATE_LIMITED`; `UNAVAILABLE` when the
 *   provider cannot be asked.
 */
export async function verifyPayment(deps: Deps, key: { userId: string; reference: string }): Promise<Payment> {
  const payment = await getPayment(deps, key);
  if (isPaid(payment.state)) return payment;
  await countTry(deps, deps.db, rateRules.paymentVerify, key.userId);
  if ((await settlePayment(deps, payment)) !== "paid") throw new AppError("NOT_PAID");
  return await readAgain(deps, payment);
}

/** @throws AppError `NOT_FOUND`. */
export async function getPayment(
  { db }: Pick<Deps, "db">,
  key: { userId: string; reference: string },
): Promise<Payment> {
  const payment = await findPayment(db, key);
  if (payment === undefined) throw new AppError("NOT_FOUND");
  return payment;
}
