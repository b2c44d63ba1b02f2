import { instantPurchaseKobo } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { paymentStarted, publishChange } from "../../../events/index.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { findCustomer } from "../../accounts/index.ts";
import { findCardProvider } from "./card-provider.ts";
import { FIRST_CHECK_DELAY_MS } from "./payment-states.ts";
import { insertPayment, updateAuthorizationUrl } from "./payment-store.ts";
import { ProviderUnclearError } from "./paystack/paystack-client.ts";
import { endPayment } from "./settle-payment.ts";

/**
 * Starts a card payment: stores it with its price, then registers it with the provider. If this process dies in between, the
 * job that checks open payments finds the row.
 *
 * @param purchase units: whole, within the limits of the form.
 * @returns where the customer pays.
 * @throws AppError `CARDS_OFF` when there is no provider; `RATE_LIMITED`; `UNAVAILABLE` when the provider does not take it.
 */
export async function startPayment(
  deps: Deps,
  purchase: { userId: string; units: number },
): Promise<{ authorizationUrl: string; reference: string }> {
  const { userId, units } = purchase;
  const provider = await findCardProvider(deps);
  if (provider === undefined) throw new AppError("CARDS_OFF");
  await countTry(deps, deps.db, rateRules.paymentStart, userId);
  const customer = await findCustomer(deps.db, userId);
  if (customer === undefined) throw new AppError("NOT_FOUND");
  const [reference, totalKobo, createdAt] = [`EWB-${uuidv7()}`, instantPurchaseKobo(units), deps.clock.now()];
  const nextCheckAt = new Date(createdAt.getTime() + FIRST_CHECK_DELAY_MS);
  await insertPayment(deps.db, {
    userId,
    reference,
    units,
    totalKobo,
    isSandbox: provider.isSandbox,
    createdAt,
    nextCheckAt,
  });

  const callbackUrl = `${deps.config.publicUrl}/user-dashboard/buy-sms`;
  const outcome = await provider.begin({ email: customer.email, totalKobo, reference, callbackUrl });
  if (outcome.kind === "refused") {
    await endPayment(deps, { userId, reference, isAutomatic: false });
    deps.log.error({ reference, reason: outcome.reason }, "the card provider refused a payment");
    throw new ProviderUnclearError(outcome.reason);
  }
  await updateAuthorizationUrl(deps.db, { userId, reference }, outcome.authorizationUrl);
  await publishChange(deps.db, paymentStarted(userId));
  return { authorizationUrl: outcome.authorizationUrl, reference };
}
