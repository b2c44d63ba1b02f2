/** Card payments, bank deposits and the statement. */
import type { paymentSchemas, billingSchemas } from "../schemas/billing.ts";
import type { depositSchemas } from "../schemas/deposits.ts";
import type { Calls } from "./call.ts";

export const paymentCalls: Calls<typeof paymentSchemas> = {
  paystackPayment: { method: "POST", url: "/api/paystack-payment" },
  verifyTransaction: { method: "POST", url: "/api/transaction/verify/:reference/:userId" },
  payments: { method: "GET", url: "/api/:userId/payments" },
  viewOnePayment: { method: "GET", url: "/api/:userId/:reference/view-one-payment" },
  paymentReceipt: { method: "GET", url: "/api/:userId/:reference/payment-receipt" },
  viewAllPayments: { method: "GET", url: "/api/view-all-payments" },
  paystackWebhook: { method: "POST", url: "/api/paystack-webhook" },
};

export const billingCalls: Calls<typeof billingSchemas> = {
  statement: { method: "GET", url: "/api/:userId/statement" },
  balanceByDay: { method: "GET", url: "/api/:userId/balance-by-day" },
};

export const depositCalls: Calls<typeof depositSchemas> = {
  submitTransferDetails: { method: "POST", url: "/api/:userId/submit-transfer-details" },
  userTransferDetails: { method: "GET", url: "/api/:userId/user-transfer-details" },
  viewAllTransactions: { method: "GET", url: "/api/view-all-transactions" },
  viewOneTransaction: { method: "GET", url: "/api/:transferId/view-one-transaction" },
  deleteDetails: { method: "DELETE", url: "/api/:userId/:transferId/delete-details" },
  disapprove: { method: "DELETE", url: "/api/:userId/:transferId/disapprove" },
  receipt: { method: "GET", url: "/api/receipts/:transferId" },
  creditUser: { method: "PATCH", url: "/api/:userId/:transferId/:adminId/credit-user" },
  declinedTransaction: { method: "PATCH", url: "/api/:userId/:transferId/:adminId/declined-transaction" },
};
