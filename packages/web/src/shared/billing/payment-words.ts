import type { PaymentAnswer, PaymentState } from "@ewebal/contract";

type StateWords = {
  label: string;
  /** Of the badge; the label says the same in words. */
  color: "gray" | "green" | "red" | "yellow" | "blue";
};

export const paymentStateWords: Readonly<Record<PaymentState, StateWords>> = {
  open: { label: "Waiting for payment", color: "blue" },
  failed: { label: "Card declined", color: "red" },
  paid: { label: "Paid", color: "green" },
  ended: { label: "Not paid", color: "gray" },
  frozen: { label: "Under review", color: "yellow" },
  reversed: { label: "Refunded", color: "gray" },
};

/** A receipt confirms that money came, also when it went back later. */
export function hasReceipt({ paidAt }: Pick<PaymentAnswer, "paidAt">): boolean {
  return paidAt !== null;
}
