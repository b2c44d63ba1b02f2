/** Card payments, bank deposits and the statement. */
import type { paymentSchemas, billingSchemas } from "../schemas/billing.ts";
import type { invoiceSchemas } from "../schemas/invoices.ts";
import type { depositSchemas } from "../schemas/deposits.ts";
import type { Calls } from "./call.ts";

export const paymentCalls: Calls<typeof paymentSchemas> = {
  paystackPayment: { method: "POST", url: "/api/paystack-payment", leastRole: "owner" },
  verifyTransaction: { method: "POST", url: "/api/transaction/verify/:reference/:userId", leastRole: "owner" },
  payments: { method: "GET", url: "/api/:userId/payments", leastRole: "viewer" },
  viewOnePayment: { method: "GET", url: "/api/:userId/:reference/view-one-payment", leastRole: "viewer" },
  paymentReceipt: { method: "GET", url: "/api/:userId/:reference/payment-receipt", leastRole: "viewer" },
  viewAllPayments: { method: "GET", url: "/api/view-all-payments" },
  paystackWebhook: { method: "POST", url: "/api/paystack-webhook" },
};

export const billingCalls: Calls<typeof billingSchemas> = {
  statement: { method: "GET", url: "/api/:userId/statement", leastRole: "viewer" },
  balanceByDay: { method: "GET", url: "/api/:userId/balance-by-day", leastRole: "viewer" },
};

export const invoiceCalls: Calls<typeof invoiceSchemas> = {
  invoices: { method: "GET", url: "/api/:userId/invoices", leastRole: "viewer" },
  invoice: { method: "GET", url: "/api/:userId/:invoiceId/invoice", leastRole: "viewer" },
};

export const depositCalls: Calls<typeof depositSchemas> = {
  submitTransferDetails: { method: "POST", url: "/api/:userId/submit-transfer-details", leastRole: "owner" },
  userTransferDetails: { method: "GET", url: "/api/:userId/user-transfer-details", leastRole: "viewer" },
  viewAllTransactions: { method: "GET", url: "/api/view-all-transactions" },
  viewOneTransaction: { method: "GET", url: "/api/:transferId/view-one-transaction", leastRole: "viewer" },
  deleteDetails: { method: "DELETE", url: "/api/:userId/:transferId/delete-details", leastRole: "owner" },
  disapprove: { method: "DELETE", url: "/api/:userId/:transferId/disapprove", leastRole: "owner" },
  receipt: { method: "GET", url: "/api/receipts/:transferId", leastRole: "viewer" },
  creditUser: { method: "PATCH", url: "/api/:userId/:transferId/:adminId/credit-user" },
  declinedTransaction: { method: "PATCH", url: "/api/:userId/:transferId/:adminId/declined-transaction" },
};
