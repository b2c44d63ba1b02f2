import { MILLI_PER_UNIT, type AdminPaymentAnswer, type PaymentAnswer } from "@ewebal/contract";
import type { Claim } from "./chargebacks/chargeback-store.ts";
import type { Payment } from "./payment-store.ts";

export function presentPayment(payment: Payment): PaymentAnswer {
  return {
    reference: payment.reference,
    units: payment.units,
    totalKobo: payment.totalKobo,
    state: payment.state,
    frozenUnits: payment.frozenMilli / MILLI_PER_UNIT,
    takenBackUnits: payment.takenMilli / MILLI_PER_UNIT,
    createdAt: payment.createdAt.toISOString(),
    paidAt: payment.paidAt?.toISOString() ?? null,
  };
}

export function presentPaymentToAdmin(payment: Payment, claims: readonly Claim[]): AdminPaymentAnswer {
  return {
    ...presentPayment(payment),
    userID: payment.userId,
    email: payment.email,
    problem: payment.problem,
    claims: claims.map((claim) => ({
      kind: claim.kind,
      state: claim.state,
      amountKobo: claim.amountKobo,
      units: claim.unitsMilli / MILLI_PER_UNIT,
      spentUnits: claim.spentMilli / MILLI_PER_UNIT,
      createdAt: claim.createdAt.toISOString(),
    })),
  };
}
