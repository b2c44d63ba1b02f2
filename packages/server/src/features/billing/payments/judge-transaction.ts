import type { ProviderMode } from "./card-provider.ts";
import type { ProviderTransaction } from "./paystack/paystack-answers.ts";

export type Verdict =
  | { kind: "paid" }
  /** The provider has no money for it; `isDeclined` when it says so for good, though its page lets people try again. */
  | { kind: "unpaid"; status: string; isDeclined: boolean }
  /** Money, and not what was asked for. Nothing is credited; people look at it. */
  | { kind: "foreign"; problem: string };

const DECLINED = new Set(["failed", "reversed"]);

/**
 * Whether a transaction at the provider pays a payment of ours: exactly `success`, the same reference, naira, what we asked
 * for and no less paid, and of the world that our key is for.
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
