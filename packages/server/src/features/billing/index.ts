/** Billing: how units are paid for, and what a customer can see of the ledger. */
export { auditAndSeal, checkEverything, ledgerAuditQueue, ledgerCheckQueue } from "./check-ledger.ts";
export { countDeposits, countWaitingDeposits, selectWaitingDeposits } from "./deposits/deposit-store.ts";
export { depositApproval } from "./deposits/decide-deposit.ts";
export { depositRoutes } from "./deposits/deposit-routes.ts";
export { depositSummaryPart } from "./deposits/view-deposits.ts";
export { checkPaymentsQueue } from "./payments/check-open-payments.ts";
export { countOpenDisputes, selectOpenDisputes } from "./payments/chargebacks/chargeback-store.ts";
export { invoiceRoutes } from "./invoices/invoice-routes.ts";
export { paymentRoutes } from "./payments/payment-routes.ts";
export { settlePaymentQueue } from "./payments/settle-payment.ts";
export { answerStatement, statementRoutes } from "./statement/statement-routes.ts";
