/** Billing: what a customer can see of the ledger. */
export { billingRoutes } from "./routes.ts";
export { ledgerAuditQueue, ledgerCheckQueue } from "./check-ledger.ts";
