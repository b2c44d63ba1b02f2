import assert from "node:assert/strict";
import { MILLI_PER_UNIT } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { withTransaction, type Tx } from "../../../../db/transaction.ts";
import type { Deps } from "../../../../base/deps.ts";
import { publishChange } from "../../../../events/index.ts";
import { writeMail } from "../../../../mail/index.ts";
import type { ProviderMode } from "../card-provider.ts";
import { claimMail } from "../payment-mails.ts";
import { isPaid } from "../payment-states.ts";
import { findPayment, findPaymentByReference, lockPayment, updatePaidState, type Payment } from "../payment-store.ts";
import { saveClaim, selectClaims, type Claim } from "./chargeback-store.ts";
import { moveClaim, raiseClaim, unitsOfMoney } from "./move-chargeback.ts";
import type { ClaimEvent } from "./read-chargeback-event.ts";

/**
 * Does what a refund or a dispute asks for, once for each of its states, and tells management. A payment that is not ours,
 * or of the provider's other world, is passed over.
 */
export async function applyClaimEvent(deps: Deps, event: ClaimEvent, mode: ProviderMode | undefined): Promise<void> {
  const found = await findPaymentByReference(deps.db, event.reference);
  const isOtherWorld = mode !== undefined && event.mode !== undefined && event.mode !== mode;
  if (found === undefined || isOtherWorld)
    return deps.log.info({ reference: event.reference }, "a refund or dispute is not about a payment here");
  await withTransaction(deps.db, async (tx) => {
    await lockPayment(tx, found);
    const payment = await findPayment(tx, found);
    assert(payment);
    const claims = await selectClaims(tx, payment.userId, payment.reference);
    const known = findKnown(claims, event);
    if (known !== undefined && isRepeat(known, event)) return;
    const claim =
      known === undefined ? newClaim(payment, claims, event, deps.clock.now()) : reduced(payment, known, event);
    const moved = isPaid(payment.state) ? await moveClaim(tx, claim, event.state) : { ...claim, state: event.state };
    await saveAndTell(deps, tx, payment, moved);
    await passOn(deps, tx, payment, (known?.frozenMilli ?? 0) - moved.frozenMilli - moved.takenMilli);
  });
}

/**
 * Claims that ask for the same money share its units, first come first served. What one of them does not need any more belongs
 * to the others: a dispute that is declined because the money was refunded meanwhile leaves its units to the refund.
 *
 * @param freedMilli what was set aside until now. Others take no more: units that were bought later are not of this payment.
 */
async function passOn(deps: Deps, tx: Tx, payment: Payment, freedMilli: number): Promise<void> {
  let unusedMilli = freedMilli;
  const claims = await selectClaims(tx, payment.userId, payment.reference);
  let leftMilli = unclaimedMilli(payment, claims);
  for (const claim of claims) {
    const moreMilli = Math.min(unitsOfMoney(payment, claim.amountKobo) - claim.unitsMilli, leftMilli);
    if (claim.state === "dismissed" || moreMilli <= 0) continue;
    leftMilli -= moreMilli;
    const availableMilli = Math.max(0, Math.min(moreMilli, unusedMilli));
    unusedMilli -= availableMilli;
    const raised = isPaid(payment.state)
      ? await raiseClaim(tx, claim, moreMilli, availableMilli)
      : { ...claim, unitsMilli: claim.unitsMilli + moreMilli };
    await saveAndTell(deps, tx, payment, raised);
  }
}

/** After a payment was credited: refunds and disputes that came before the credit. The payment is locked by its update. */
export async function applyWaitingClaims(deps: Deps, tx: Tx, payment: Payment): Promise<void> {
  for (const claim of await selectClaims(tx, payment.userId, payment.reference)) {
    if (claim.state !== "dismissed") await saveAndTell(deps, tx, payment, await moveClaim(tx, claim, claim.state));
  }
}

async function saveAndTell(deps: Deps, tx: Tx, payment: Payment, claim: Claim): Promise<void> {
  const { userId, reference } = payment;
  await saveClaim(tx, claim, deps.clock.now());
  const states = (await selectClaims(tx, userId, reference)).map(({ state }) => state);
  await updatePaidState(
    tx,
    payment,
    states.includes("open") ? "frozen" : states.includes("upheld") ? "reversed" : "paid",
  );
  await writeMail(deps, tx, claimMail(deps.config, payment, claim));
  await publishChange(tx, { userId, topics: ["payments", "user"] }, { admin: true, topics: ["admin", "payments"] });
}

/**
 * A refund has no number before it is processed; until then it is known by its amount. One that failed is over: money that goes
 * back afterwards is another refund's.
 */
function findKnown(claims: readonly Claim[], event: ClaimEvent): Claim | undefined {
  const sameKind = claims.filter(({ kind }) => kind === event.kind);
  const byNumber = sameKind.find(({ providerId }) => providerId !== null && providerId === event.providerId);
  if (byNumber !== undefined) return byNumber;
  const canBe = sameKind.filter(({ state }) => !(state === "dismissed" && event.state === "upheld"));
  return canBe.find(
    ({ providerId, amountKobo }) =>
      (providerId === null || event.providerId === null) && amountKobo === event.amountKobo,
  );
}

function isRepeat(known: Claim, event: ClaimEvent): boolean {
  return known.state !== "open" || event.state === "open";
}

function newClaim(payment: Payment, claims: readonly Claim[], event: ClaimEvent, now: Date): Claim {
  return {
    userId: payment.userId,
    claimId: uuidv7(),
    reference: payment.reference,
    kind: event.kind,
    providerId: event.providerId,
    state: "open",
    amountKobo: event.amountKobo,
    unitsMilli: Math.min(unitsOfMoney(payment, event.amountKobo), unclaimedMilli(payment, claims)),
    holdId: null,
    frozenMilli: 0,
    takenMilli: 0,
    spentMilli: 0,
    createdAt: now,
  };
}

function unclaimedMilli(payment: Payment, claims: readonly Claim[]): number {
  const claimed = claims.filter(({ state }) => state !== "dismissed");
  return payment.units * MILLI_PER_UNIT - claimed.reduce((sum, { unitsMilli }) => sum + unitsMilli, 0);
}

/** A dispute may end with less than it asked for. */
function reduced(payment: Payment, claim: Claim, event: ClaimEvent): Claim {
  const amountKobo = Math.min(claim.amountKobo, event.amountKobo);
  const unitsMilli = Math.min(claim.unitsMilli, unitsOfMoney(payment, amountKobo));
  return { ...claim, providerId: claim.providerId ?? event.providerId, amountKobo, unitsMilli };
}
