import assert from "node:assert/strict";
import { MILLI_PER_UNIT } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { withTransaction, type Tx } from "../../../../db/transaction.ts";
import type { Deps } from "../../../../base/deps.ts";
import { paymentChargedBack, publishChange } from "../../../../events/index.ts";
import { writeMail } from "../../../../mail/index.ts";
import { issueCreditNote } from "../../invoices/issue-invoice.ts";
import type { ProviderMode } from "../card-provider.ts";
import { chargebackMail } from "../payment-mails.ts";
import { isPaid } from "../payment-states.ts";
import { findPayment, findPaymentByReference, lockPayment, updatePaidState, type Payment } from "../payment-store.ts";
import { saveChargeback, selectChargebacks, type Chargeback } from "./chargeback-store.ts";
import { moveChargeback, raiseChargeback, unitsOfMoney } from "./move-chargeback.ts";
import type { ChargebackEvent } from "./read-chargeback-event.ts";

/**
 * Applies a refund or a dispute, once for each of its states, and mails management. Events about payments that are not ours, or
 * of the provider's other mode, are ignored.
 */
export async function applyChargebackEvent(
  deps: Deps,
  event: ChargebackEvent,
  mode: ProviderMode | undefined,
): Promise<void> {
  const found = await findPaymentByReference(deps.db, event.reference);
  const isOtherWorld = mode !== undefined && event.mode !== undefined && event.mode !== mode;
  if (found === undefined || isOtherWorld)
    return deps.log.info({ reference: event.reference }, "a refund or dispute is not about a payment here");
  await withTransaction(deps.db, async (tx) => {
    await lockPayment(tx, found);
    const payment = await findPayment(tx, found);
    assert(payment);
    const chargebacks = await selectChargebacks(tx, payment.userId, payment.reference);
    const known = findKnown(chargebacks, event);
    if (known !== undefined && isRepeat(known, event)) return;
    const chargeback =
      known === undefined
        ? newChargeback(payment, chargebacks, event, deps.clock.now())
        : reduced(payment, known, event);
    const moved = isPaid(payment.state)
      ? await moveChargeback(tx, chargeback, event.state)
      : { ...chargeback, state: event.state };
    await saveAndTell(deps, tx, payment, moved);
    await passOn(deps, tx, payment, (known?.frozenMilli ?? 0) - moved.frozenMilli - moved.takenMilli);
  });
}

/**
 * Chargebacks of the same money share its units, oldest first. Units that one of them frees go to the others: a dispute that is
 * declined because the money was refunded leaves its units to the refund.
 *
 * @param freedMilli units that were set aside until now. The others take no more than that: units bought later do not belong
 *   to this payment.
 */
async function passOn(deps: Deps, tx: Tx, payment: Payment, freedMilli: number): Promise<void> {
  let unusedMilli = freedMilli;
  const chargebacks = await selectChargebacks(tx, payment.userId, payment.reference);
  let leftMilli = uncontestedMilli(payment, chargebacks);
  for (const chargeback of chargebacks) {
    const moreMilli = Math.min(unitsOfMoney(payment, chargeback.amountKobo) - chargeback.unitsMilli, leftMilli);
    if (chargeback.state === "dismissed" || moreMilli <= 0) continue;
    leftMilli -= moreMilli;
    const availableMilli = Math.max(0, Math.min(moreMilli, unusedMilli));
    unusedMilli -= availableMilli;
    const raised = isPaid(payment.state)
      ? await raiseChargeback(tx, chargeback, moreMilli, availableMilli)
      : { ...chargeback, unitsMilli: chargeback.unitsMilli + moreMilli };
    await saveAndTell(deps, tx, payment, raised);
  }
}

/** After a payment was credited: refunds and disputes that came before the credit. The payment is locked by its update. */
export async function applyWaitingChargebacks(deps: Deps, tx: Tx, payment: Payment): Promise<void> {
  for (const chargeback of await selectChargebacks(tx, payment.userId, payment.reference)) {
    if (chargeback.state !== "dismissed")
      await saveAndTell(deps, tx, payment, await moveChargeback(tx, chargeback, chargeback.state));
  }
}

async function saveAndTell(deps: Deps, tx: Tx, payment: Payment, chargeback: Chargeback): Promise<void> {
  const { userId, reference } = payment;
  await saveChargeback(tx, chargeback, deps.clock.now());
  const { chargebackId, amountKobo } = chargeback;
  // A payment that is not credited yet has no invoice: its crediting comes through here again.
  if (chargeback.state === "upheld") await issueCreditNote(deps, tx, { userId, reference, chargebackId, amountKobo });
  const states = (await selectChargebacks(tx, userId, reference)).map(({ state }) => state);
  await updatePaidState(
    tx,
    payment,
    states.includes("open") ? "frozen" : states.includes("upheld") ? "reversed" : "paid",
  );
  await writeMail(deps, tx, chargebackMail(deps.config, payment, chargeback));
  await publishChange(tx, paymentChargedBack(userId));
}

/**
 * A refund has no number before it is processed; until then its amount identifies it. A failed refund is final: money that
 * goes back later belongs to another refund.
 */
function findKnown(chargebacks: readonly Chargeback[], event: ChargebackEvent): Chargeback | undefined {
  const sameKind = chargebacks.filter(({ kind }) => kind === event.kind);
  const byNumber = sameKind.find(({ providerId }) => providerId !== null && providerId === event.providerId);
  if (byNumber !== undefined) return byNumber;
  const canBe = sameKind.filter(({ state }) => !(state === "dismissed" && event.state === "upheld"));
  return canBe.find(
    ({ providerId, amountKobo }) =>
      (providerId === null || event.providerId === null) && amountKobo === event.amountKobo,
  );
}

function isRepeat(known: Chargeback, event: ChargebackEvent): boolean {
  return known.state !== "open" || event.state === "open";
}

function newChargeback(
  payment: Payment,
  chargebacks: readonly Chargeback[],
  event: ChargebackEvent,
  now: Date,
): Chargeback {
  return {
    userId: payment.userId,
    chargebackId: uuidv7(),
    reference: payment.reference,
    kind: event.kind,
    providerId: event.providerId,
    state: "open",
    amountKobo: event.amountKobo,
    unitsMilli: Math.min(unitsOfMoney(payment, event.amountKobo), uncontestedMilli(payment, chargebacks)),
    holdId: null,
    frozenMilli: 0,
    takenMilli: 0,
    spentMilli: 0,
    createdAt: now,
  };
}

function uncontestedMilli(payment: Payment, chargebacks: readonly Chargeback[]): number {
  const contested = chargebacks.filter(({ state }) => state !== "dismissed");
  return payment.units * MILLI_PER_UNIT - contested.reduce((sum, { unitsMilli }) => sum + unitsMilli, 0);
}

/** A dispute may end with less than it asked for. */
function reduced(payment: Payment, chargeback: Chargeback, event: ChargebackEvent): Chargeback {
  const amountKobo = Math.min(chargeback.amountKobo, event.amountKobo);
  const unitsMilli = Math.min(chargeback.unitsMilli, unitsOfMoney(payment, amountKobo));
  return { ...chargeback, providerId: chargeback.providerId ?? event.providerId, amountKobo, unitsMilli };
}
