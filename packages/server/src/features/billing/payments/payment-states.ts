/**
 * The life of a card payment.
 *
 * open     begun here; the provider may or may not know of it          -> failed, paid, ended
 * failed   the provider says declined; its page lets people try again  -> paid, ended
 * ended    72 hours without money; the provider is no longer asked      -> paid (money that arrives after all)
 * paid     credited, once                                               -> frozen, reversed
 * frozen   refunded or disputed: its units are set aside                -> paid (dismissed), reversed (upheld)
 * reversed units of it were taken back                                  -> frozen (another refund or dispute)
 */
import type { PaymentState } from "@ewebal/contract";

export const UNPAID_STATES: readonly PaymentState[] = ["open", "failed", "ended"];

export function isPaid(state: PaymentState): boolean {
  return !UNPAID_STATES.includes(state);
}

/** A bank's answer can take a day; after three nobody comes back to a card form. */
export const PAYMENT_OPEN_MS = 72 * 60 * 60_000;
/** A payment that the provider still does not know after this never reached it: our call was lost. */
export const PAYMENT_UNKNOWN_MS = 60 * 60_000;
/** When the job first asks the provider; each later check comes after twice the time, at most an hour. */
export const FIRST_CHECK_DELAY_MS = 60_000;
export const CHECK_DELAY_MAX_MS = 60 * 60_000;
