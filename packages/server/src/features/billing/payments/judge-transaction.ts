import type { ProviderMode } from "./card-provider.ts";
import type { ProviderTransaction } from "./paystack/paystack-answers.ts";

export type Verdict =
  | { kind: "paid" }
  /** The provider has no money for it; `isDeclined` when it says so for good, though its page lets people try again. */
  | { kind: "unpaid"; status: string; isDeclined: boolean }
  /** Money arrived that does not match the payment. Nothing is credited; management gets a mail. */
  | { kind: "foreign"; problem: string };

const DECLINED = new Set(["failed", "reversed"]);

/**
 * Whether the provider's transaction pays our payment: its status is exactly `success`, it has the same reference, in naira, for
 * the amount we requested and no less paid, in the mode of our key.
 */
export function judgeTransaction(
  payment: { reference: string; totalKobo: number },
  transaction: ProviderTransaction,
  mode: ProviderMode | undefined,
): Verdict {
  const { status, amount, currency, domain } = transaction;
  if (transaction.reference !== payment.reference) return { kind: "foreign", problem: "another reference" };
  if (status !== "success") return { kind: "unpaid", status: status.slice(0, 40), isDeclined: DECLINED.has(status) };
  if (currency !== "NGN") return { kind: "foreign", problem: `currency ${currency.slice(0, 10)}` };
  const requested = transaction.requested_amount ?? payment.totalKobo;
  if (requested !== payment.totalKobo || amount < payment.totalKobo) {
    return { kind: "foreign", problem: `${amount} kobo paid of ${requested} requested, ${payment.totalKobo} expected` };
  }
  const isOtherWorld = typeof domain === "string" && mode !== undefined && domain !== mode;
  return isOtherWorld ? { kind: "foreign", problem: `mode ${domain.slice(0, 10)}` } : { kind: "paid" };
}
