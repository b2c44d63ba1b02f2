/** What customers' programs call with an API key. */
import type { programSchemas, getFormSchemas } from "../schemas/program-api.ts";
import type { programListSchemas } from "../schemas/program-lists.ts";
import type { verificationSchemas } from "../schemas/verifications.ts";
import type { programWebhookSchemas, webhookSchemas } from "../schemas/webhooks.ts";
import type { Calls } from "./call.ts";

/**
 * The API for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. Fields and answers are those of the dashboard's
 * calls.
 */
export const programCalls: Calls<typeof programSchemas> = {
  sendMessage: { method: "POST", url: "/api/v1/messages" },
  listMessages: { method: "GET", url: "/api/v1/messages" },
  viewMessage: { method: "GET", url: "/api/v1/messages/:messageId" },
  editMessage: { method: "PATCH", url: "/api/v1/messages/:messageId" },
  listRecipients: { method: "GET", url: "/api/v1/messages/:messageId/recipients" },
  pauseMessage: { method: "POST", url: "/api/v1/messages/:messageId/pause" },
  resumeMessage: { method: "POST", url: "/api/v1/messages/:messageId/resume" },
  cancelMessage: { method: "POST", url: "/api/v1/messages/:messageId/cancel" },
};

/** What programs keep and read beside messages. */
export const programListCalls: Calls<typeof programListSchemas> = {
  listCatalogs: { method: "GET", url: "/api/v1/catalogs" },
  createCatalog: { method: "POST", url: "/api/v1/catalogs" },
  viewCatalog: { method: "GET", url: "/api/v1/catalogs/:catalogId" },
  editCatalog: { method: "PATCH", url: "/api/v1/catalogs/:catalogId" },
  deleteCatalog: { method: "DELETE", url: "/api/v1/catalogs/:catalogId" },
  listContacts: { method: "GET", url: "/api/v1/catalogs/:catalogId/contacts" },
  addContacts: { method: "POST", url: "/api/v1/catalogs/:catalogId/contacts" },
  editContact: { method: "PATCH", url: "/api/v1/catalogs/:catalogId/contacts" },
  deleteContact: { method: "DELETE", url: "/api/v1/catalogs/:catalogId/contacts" },
  listTemplates: { method: "GET", url: "/api/v1/templates" },
  addTemplate: { method: "POST", url: "/api/v1/templates" },
  viewTemplate: { method: "GET", url: "/api/v1/templates/:templateId" },
  editTemplate: { method: "PATCH", url: "/api/v1/templates/:templateId" },
  deleteTemplate: { method: "DELETE", url: "/api/v1/templates/:templateId" },
  listOptOuts: { method: "GET", url: "/api/v1/opt-outs" },
  addOptOuts: { method: "POST", url: "/api/v1/opt-outs" },
  removeOptOuts: { method: "DELETE", url: "/api/v1/opt-outs" },
  listInbox: { method: "GET", url: "/api/v1/inbox" },
  replyToInbox: { method: "POST", url: "/api/v1/inbox/:inboxId/reply" },
  balance: { method: "GET", url: "/api/v1/balance" },
  statement: { method: "GET", url: "/api/v1/statement" },
  listSenders: { method: "GET", url: "/api/v1/senders" },
  listRates: { method: "GET", url: "/api/v1/rates" },
};

/** Codes that are sent to people and checked. */
export const verificationCalls: Calls<typeof verificationSchemas> = {
  startVerification: { method: "POST", url: "/api/v1/verifications" },
  checkVerification: { method: "POST", url: "/api/v1/verifications/:verificationId/check" },
  listVerifications: { method: "GET", url: "/api/v1/verifications" },
  viewVerification: { method: "GET", url: "/api/v1/verifications/:verificationId" },
};

/** Addresses that events are posted to. */
export const webhookCalls: Calls<typeof webhookSchemas> = {
  webhooks: { method: "GET", url: "/api/:userId/webhooks", leastRole: "viewer" },
  makeWebhook: { method: "POST", url: "/api/:userId/webhooks", leastRole: "owner" },
  editWebhook: { method: "PATCH", url: "/api/:userId/:webhookId/edit-webhook", leastRole: "owner" },
  deleteWebhook: { method: "DELETE", url: "/api/:userId/:webhookId/delete-webhook", leastRole: "owner" },
  rotateWebhookSecret: { method: "POST", url: "/api/:userId/:webhookId/rotate-webhook-secret", leastRole: "owner" },
  webhookAttempts: { method: "GET", url: "/api/:userId/:webhookId/attempts", leastRole: "viewer" },
  replayWebhook: { method: "POST", url: "/api/:userId/:webhookId/replay", leastRole: "owner" },
};

/** The same with a key. */
export const programWebhookCalls: Calls<typeof programWebhookSchemas> = {
  listWebhooks: { method: "GET", url: "/api/v1/webhooks" },
  makeWebhook: { method: "POST", url: "/api/v1/webhooks" },
  editWebhook: { method: "PATCH", url: "/api/v1/webhooks/:webhookId" },
  deleteWebhook: { method: "DELETE", url: "/api/v1/webhooks/:webhookId" },
  rotateWebhookSecret: { method: "POST", url: "/api/v1/webhooks/:webhookId/rotate" },
  webhookAttempts: { method: "GET", url: "/api/v1/webhooks/:webhookId/attempts" },
  replayWebhook: { method: "POST", url: "/api/v1/webhooks/:webhookId/replay" },
};

/** For programs that can do nothing but ask for an address. `POST /api/v1/messages` with a key is the better way. */
export const getFormCalls: Calls<typeof getFormSchemas> = {
  sendByGetForm: { method: "GET", url: "/api/send-bulk-sms/:email/:password/:message/:senderName/:phoneNo/:code" },
};
