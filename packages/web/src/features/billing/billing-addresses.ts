import type { billingRoutes, paymentRoutes, RouteContract } from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/** Method and address of the calls about money, without the schemas that would bring zod along. */
export const billingAddresses = {
  paystackPayment: address<typeof paymentRoutes.paystackPayment>("POST", "/api/paystack-payment"),
  verifyTransaction: address<typeof paymentRoutes.verifyTransaction>(
    "POST",
    "/api/transaction/verify/:reference/:userId",
  ),
  payments: address<typeof paymentRoutes.payments>("GET", "/api/:userId/payments"),
  paymentReceipt: address<typeof paymentRoutes.paymentReceipt>("GET", "/api/:userId/:reference/payment-receipt"),
  statement: address<typeof billingRoutes.statement>("GET", "/api/:userId/statement"),
};
