/** Webhooks: events of the outbox, and what becomes of recipients, posted to addresses of customers' programs. */
export { cleanUpWebhooksQueue } from "./clean-up.ts";
export { findOldestDueEvent } from "./deliver/deliver-store.ts";
export { startWebhookWorker, type WebhookWorker } from "./deliver/webhook-worker.ts";
export { webhookRoutes } from "./webhook-routes.ts";
