/** Billing: what a customer can see of the ledger. */
export { billingRoutes } from "./routes.ts";
