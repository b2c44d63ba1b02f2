import type { Deps } from "../../../base/deps.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { openSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../secrets/secrets-key.ts";
import { findCardProvider } from "../payments/card-provider.ts";
import { findPayment } from "../payments/payment-store.ts";
import { recordAnswer, recordDecline, settlePayment } from "../payments/settle-payment.ts";
import { claimCharge, findKeptCard } from "./auto-top-up-store.ts";
import { keptCardOwner } from "./follow-charge.ts";

export const CHARGE_KEPT_CARD = "charge-kept-card";

/** Charges the kept card for a payment that the auto top-up has begun. */
export const chargeKeptCardQueue: JobQueue = {
  name: CHARGE_KEPT_CARD,
  retriesMax: 4,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: 120,
  runSecondsMax: 60,
  concurrency: 4,
  handle: async (deps, { userId = "", reference = "" }) => await chargeKeptCard(deps, { userId, reference }),
};

/**
 * Only the run that claims the payment asks for money, and only once: a process that dies between the claim and the answer leaves a payment that
 * the reconciler asks about. Other runs ask what became of it.
 */
export async function chargeKeptCard(deps: Deps, key: { userId: string; reference: string }): Promise<void> {
  const payment = await findPayment(deps.db, key);
  if (payment?.state !== "open" || !payment.isAutomatic) return;
  const provider = await findCardProvider(deps);
  if (provider?.isSandbox !== payment.isSandbox) return;
  if (!(await claimCharge(deps.db, { ...key, now: deps.clock.now() }))) {
    await settlePayment(deps, payment);
    return;
  }
  const card = await findKeptCard(deps.db, key.userId);
  const authorizationCode =
    card === undefined || card.isSandbox !== payment.isSandbox
      ? undefined
      : openSecret(await getSecretsKeys(deps.config), keptCardOwner(key.userId), card.sealed);
  if (card === undefined || authorizationCode === undefined) {
    deps.log.error({ reference: key.reference }, "a kept card cannot be read");
    return await recordDecline(deps, payment, "no card");
  }
  const { reference, totalKobo } = payment;
  const outcome = await provider.charge({ reference, totalKobo, email: card.email, authorizationCode });
  if (outcome.kind === "answered") await recordAnswer(deps, payment, outcome.transaction, provider.mode);
  else {
    deps.log.warn({ reference, reason: outcome.reason }, "the card provider refused to charge a kept card");
    // A reference that was used is refused as well: only a payment that the provider does not know was not charged.
    if ((await settlePayment(deps, payment)) === "unknown") await recordDecline(deps, payment, "refused");
  }
}
