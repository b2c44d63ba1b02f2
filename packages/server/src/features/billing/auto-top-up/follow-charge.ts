/**
 * What the outcome of a card payment means for the auto top-up. Each of these runs in the transaction that records the outcome, once for each.
 *
 * crossing served (is_below) -> paid: waits until the units are above the amount
 *                            -> declined: open again after a while; after DECLINES_MAX in a row it is off, with a mail
 *                            -> ended without money: open again
 */
import type { Deps } from "../../../base/deps.ts";
import type { Tx } from "../../../db/transaction.ts";
import { writeMail, type MailContent } from "../../../mail/index.ts";
import { getSecretsKey } from "../../../secrets/secrets-key.ts";
import { sealSecret } from "../../../secrets/seal-secret.ts";
import type { Payment } from "../payments/payment-store.ts";
import { readCard, type ProviderTransaction } from "../payments/paystack/paystack-answers.ts";
import {
  countDecline,
  endCrossing,
  keepCard,
  lockAutoTopUp,
  reopenCrossing,
  switchOff,
  type CardLabel,
  type KeptCard,
} from "./auto-top-up-store.ts";

/** Declined so often in a row, a card is not tried any more. */
export const DECLINES_MAX = 3;
/** Between a declined charge and the next one: an account that is filled on a payday is filled by then. */
export const DECLINE_DELAY_MS = 60 * 60_000;

/** The owner that a kept authorization is sealed for. */
export function keptCardOwner(userId: string): string {
  return `kept-card ${userId}`;
}

/** @returns the card that paid, sealed; undefined when the provider does not let it be charged again. Call it before the transaction: it reads the key. */
export async function sealCard(
  deps: Pick<Deps, "config">,
  payment: Payment,
  transaction: ProviderTransaction,
): Promise<KeptCard | undefined> {
  const card = readCard(transaction);
  if (card === undefined) return undefined;
  const { brand, last4, exp_month: month, exp_year: year } = card;
  const key = await getSecretsKey(deps.config);
  return {
    sealed: sealSecret(key, keptCardOwner(payment.userId), card.authorization_code),
    email: transaction.customer?.email ?? payment.email,
    brand: `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`.slice(0, 40),
    last4: last4.slice(-4),
    expires: `${month.slice(0, 2)}/${year.slice(-2)}`,
    isSandbox: payment.isSandbox,
  };
}

/** After a credit: keeps the card, and sees whether the units are above the amount again. */
export async function followPaid(
  tx: Tx,
  { userId }: Pick<Payment, "userId">,
  paid: { card: KeptCard | undefined; freeMilli: number },
): Promise<void> {
  if (paid.card !== undefined) await keepCard(tx, userId, paid.card);
  await endCrossing(tx, userId, paid.freeMilli);
}

export async function followDecline(deps: Deps, tx: Tx, payment: Payment): Promise<void> {
  if (!payment.isAutomatic) return;
  const { userId, reference } = payment;
  const now = deps.clock.now();
  const notBefore = new Date(now.getTime() + DECLINE_DELAY_MS);
  const count = await countDecline(tx, { userId, reference, notBefore });
  if (count === undefined || count < DECLINES_MAX) return;
  const card = await lockAutoTopUp(tx, userId);
  await switchOff(tx, userId, now);
  if (card !== undefined) await writeMail(deps, tx, stoppedMail(payment, card));
}

export async function followEnd(
  tx: Tx,
  { userId, reference, isAutomatic }: Pick<Payment, "userId" | "reference" | "isAutomatic">,
): Promise<void> {
  if (isAutomatic) await reopenCrossing(tx, userId, reference);
}

function stoppedMail({ email, userName }: Payment, { brand, last4 }: CardLabel): MailContent {
  return {
    recipient: email,
    subject: "Auto top-up is switched off: your card was declined",
    greetingName: userName,
    blocks: [
      {
        kind: "text",
        text: `Your card ${brand} ending in ${last4} was declined ${DECLINES_MAX} times in a row, so it is not charged any more. No money has moved.`,
      },
      { kind: "text", text: "Pay once with a card that works, then turn auto top-up on again." },
      { kind: "action", label: "Buy units", path: "/user-dashboard/buy-sms" },
    ],
  };
}
