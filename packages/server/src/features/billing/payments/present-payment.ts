import { MILLI_PER_UNIT, type AdminPaymentAnswer, type PaymentAnswer } from "@ewebal/contract";
import type { ContestedPayment } from "./list-payments.ts";
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

export function presentPaymentToAdmin({ payment, chargebacks }: ContestedPayment): AdminPaymentAnswer {
  return {
    ...presentPayment(payment),
    userID: payment.userId,
    email: payment.email,
    problem: payment.problem,
    claims: chargebacks.map((chargeback) => ({
      kind: chargeback.kind,
      state: chargeback.state,
      amountKobo: chargeback.amountKobo,
      units: chargeback.unitsMilli / MILLI_PER_UNIT,
      spentUnits: chargeback.spentMilli / MILLI_PER_UNIT,
      createdAt: chargeback.createdAt.toISOString(),
    })),
  };
}

/** Where the browser goes to pay. */
export function presentCheckout({ authorizationUrl, reference }: { authorizationUrl: string; reference: string }) {
  return { message: "Payment started", data: { authorization_url: authorizationUrl, reference } };
}
