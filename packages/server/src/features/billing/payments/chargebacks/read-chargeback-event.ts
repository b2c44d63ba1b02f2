import { disputeEventSchema, refundEventSchema } from "../paystack/paystack-answers.ts";
import type { Chargeback } from "./chargeback-store.ts";

/** What the provider says of a refund or a dispute. */
export type ChargebackEvent = Pick<Chargeback, "reference" | "kind" | "providerId" | "state" | "amountKobo"> & {
  mode: string | undefined;
};

const refundStates: Readonly<Record<string, Chargeback["state"]>> = {
  "refund.pending": "open",
  "refund.processing": "open",
  "refund.needs-attention": "open",
  "refund.processed": "upheld",
  "refund.failed": "dismissed",
};

/** @returns undefined for an event of another kind, and for one that cannot be read. */
export function readChargebackEvent(event: string, data: unknown): ChargebackEvent | undefined {
  const refundState = refundStates[event];
  if (refundState !== undefined) return readRefund(refundState, data);
  if (event === "charge.dispute.create" || event === "charge.dispute.remind") return readDispute(false, data);
  return event === "charge.dispute.resolve" ? readDispute(true, data) : undefined;
}

function readRefund(state: Chargeback["state"], data: unknown): ChargebackEvent | undefined {
  const refund = refundEventSchema.safeParse(data).data;
  if (refund === undefined || refund.amount === 0) return undefined;
  const providerId = refund.refund_reference ?? refund.id ?? null;
  return {
    reference: refund.transaction_reference,
    kind: "refund",
    providerId,
    state,
    amountKobo: refund.amount,
    mode: refund.domain ?? undefined,
  };
}

function readDispute(isResolved: boolean, data: unknown): ChargebackEvent | undefined {
  const dispute = disputeEventSchema.safeParse(data).data;
  if (dispute === undefined) return undefined;
  const { transaction, refund_amount: refundAmount } = dispute;
  // Some events of an open dispute say 0, because nothing is refunded yet.
  const amountKobo = refundAmount != null && refundAmount > 0 ? refundAmount : transaction.amount;
  if (amountKobo === 0) return undefined;
  const state = isResolved ? (dispute.resolution === "declined" ? "dismissed" : "upheld") : "open";
  return {
    reference: transaction.reference,
    kind: "dispute",
    providerId: dispute.id,
    state,
    amountKobo,
    mode: dispute.domain ?? undefined,
  };
}
