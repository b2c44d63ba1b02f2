/** Billing: how units are paid for, and what a customer can see of the ledger. */
export { autoTopUpQueue } from "./auto-top-up/auto-top-up.ts";
export { autoTopUpRoutes } from "./auto-top-up/auto-top-up-routes.ts";
export { chargeKeptCardQueue } from "./auto-top-up/charge-kept-card.ts";
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
export { checkTransfersQueue, settleTransferQueue } from "./virtual-account/settle-transfer.ts";
export { virtualAccountRoutes } from "./virtual-account/virtual-account-routes.ts";
export { answerStatement, statementRoutes } from "./statement/statement-routes.ts";
