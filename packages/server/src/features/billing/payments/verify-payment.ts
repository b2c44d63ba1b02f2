import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { isPaid } from "./payment-states.ts";
import { findPayment, type Payment } from "./payment-store.ts";
import { readAgain, settlePayment } from "./settle-payment.ts";

/**
 * The customer's question whether a payment has arrived; credits it when it has. May be repeated.
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
