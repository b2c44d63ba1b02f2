import { draftRoutes, messageRoutes as contract } from "@ewebal/contract";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { publishChange } from "../../events/index.ts";
import type { App } from "../../http/app-type.ts";
import { requireCustomer, requireCustomerOrAdmin } from "../../http/session.ts";
import { cancelMessage, getMessage, hideMessage, listMessages, listRecipients, pauseMessage, resumeMessage } from "../delivery/index.ts";
import type { RecordAudit } from "./audit.ts";
import { deleteDraft, listDrafts } from "./drafts.ts";
import { presentDraft, presentMessage, presentRecipient } from "./present-message.ts";
import { sendRoutes } from "./send-routes.ts";
import { whitelistRoutes } from "./whitelist-routes.ts";

/** Composing, sending, watching and keeping messages, and what may be sent as. */
export async function messageRoutes(app: App, deps: Deps & { recordAudit: RecordAudit }): Promise<void> {
  await sendRoutes(app, deps);
  readingRoutes(app, deps);
  steeringRoutes(app, deps);
  whitelistRoutes(app, deps);
}

function readingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.populateSmsHistory,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const { rows, next } = await listMessages(deps.db, { userId: request.params.userId, query: request.query });
      return { data: rows.map(presentMessage), next };
    },
  });
  app.route({
    ...contract.viewOneSms,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => ({ message: "Message", data: presentMessage(await getMessage(deps.db, request.params)) }),
  });
  app.route({
    ...contract.recipients,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const { rows, next } = await listRecipients(deps.db, { ...request.params, ...request.query });
      return { data: rows.map(presentRecipient), next };
    },
  });
  app.route({
    ...draftRoutes.populateDrafts,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { rows, next } = await listDrafts(deps.db, request.params.userId, request.query);
      return { data: rows.map(presentDraft), next };
    },
  });
}

type MessageKey = { userId: string; messageId: string };

function steeringRoutes(app: App, deps: Deps): void {
  /** Every open page of the customer sees it at once, whoever pressed. */
  const steer = (act: (tx: Tx, key: MessageKey, now: Date) => Promise<void>, message: string) => async (request: { params: MessageKey }) => {
    const key = request.params;
    await withTransaction(deps.db, async (tx) => {
      await act(tx, key, deps.clock.now());
      await publishChange(tx, { userId: key.userId, topics: ["messages", `message:${key.messageId}`, "user"] });
    });
    return { message };
  };
  app.route({ ...contract.pause, onRequest: requireCustomer, handler: steer(pauseMessage, "Paused. What is not sent yet waits") });
  app.route({ ...contract.resume, onRequest: requireCustomer, handler: steer(resumeMessage, "Going on") });
  const cancelled = "Cancelled. The units of what was not sent come back";
  app.route({ ...contract.cancel, onRequest: requireCustomer, handler: steer(cancelMessage, cancelled) });
  app.route({ ...contract.deleteSmsMessage, onRequest: requireCustomer, handler: steer(hideMessage, "Deleted Successfully") });
  app.route({
    ...draftRoutes.deleteDraft,
    onRequest: requireCustomer,
    handler: async (request) => {
      await deleteDraft(deps, request.params);
      return { message: "Deleted Successfully" };
    },
  });
}
