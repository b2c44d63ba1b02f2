import { Readable } from "node:stream";
import { draftRoutes, messageRoutes as contract } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import {
  type Change,
  messageCancelled,
  messageDeleted,
  messagePaused,
  messageResumed,
  publishChange,
} from "../../events/index.ts";
import type { App } from "../../http/app-type.ts";
import { requireAdmin, requireCustomer, requireCustomerOrAdmin, sessionOf } from "../../http/session/session.ts";
import {
  cancelMessage,
  getMessage,
  hideMessage,
  listAllMessages,
  listMessages,
  listRecipients,
  pauseMessage,
  resumeMessage,
  type Viewer,
} from "../delivery/index.ts";
import { dailyLimitRoutes } from "./limits/daily-limit-routes.ts";
import { dndRoutes } from "./dnd/dnd-routes.ts";
import { heldRoutes } from "./held/held-routes.ts";
import { deleteDraft, getDraft, listDrafts } from "./drafts/drafts.ts";
import { historyCsv, recipientsCsv } from "./history/export-csv.ts";
import { formRoutes } from "./send/form-routes.ts";
import { presentDraft, presentMessage, presentRecipient } from "./present-message.ts";
import { programRoutes } from "./program-api/program-routes.ts";
import { scheduledRoutes } from "./scheduled/scheduled-routes.ts";
import { createSendDeps } from "./send/send-deps.ts";
import { sendRoutes } from "./send/send-routes.ts";
import { whitelistRoutes } from "./whitelists/whitelist-routes.ts";

/** Composing, sending, watching and keeping messages, and what may be sent as. */
export async function messageRoutes(app: App, deps: Deps): Promise<void> {
  const sendDeps = createSendDeps(deps);
  app.addHook("onClose", async () => await sendDeps.bodies.close());
  await sendRoutes(app, sendDeps);
  await programRoutes(app, sendDeps);
  formRoutes(app, sendDeps);
  readingRoutes(app, deps);
  scheduledRoutes(app, deps);
  draftListRoutes(app, deps);
  steeringRoutes(app, deps);
  whitelistRoutes(app, deps);
  dndRoutes(app, deps);
  heldRoutes(app, deps);
  dailyLimitRoutes(app, deps);
}

function readingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.populateSmsHistory,
    onRequest: requireCustomerOrAdmin,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const { format, ...query } = request.query;
      const viewer = viewerOf(request);
      if (format === "csv") return await sendCsv(reply, "sms-history", historyCsv(deps.db, { userId, viewer }, query));
      const { rows, next } = await listMessages(deps.db, { userId, query, viewer });
      return { data: rows.map(presentMessage), next };
    },
  });
  app.route({
    ...contract.viewAllSmsMessages,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listAllMessages(deps.db, { query: request.query });
      return { data: rows.map(presentMessage), next };
    },
  });
  app.route({
    ...contract.viewOneSms,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => ({
      message: "Message",
      data: presentMessage(await getMessage(deps.db, request.params, viewerOf(request))),
    }),
  });
  app.route({
    ...contract.recipients,
    onRequest: requireCustomerOrAdmin,
    handler: async (request, reply) => {
      const { format, ...query } = request.query;
      const key = request.params;
      const viewer = viewerOf(request);
      if (format === "csv") {
        // A message that is not there is refused before the file begins.
        const { code } = await getMessage(deps.db, key, viewer);
        return await sendCsv(reply, "recipients", recipientsCsv(deps.db, { ...key, code, state: query.state, viewer }));
      }
      const { rows, next } = await listRecipients(deps.db, { ...key, ...query, viewer });
      return { data: rows.map(presentRecipient), next };
    },
  });
}

function viewerOf(request: FastifyRequest): Viewer {
  return sessionOf(request).kind === "admin" ? "administrator" : "customer";
}

function draftListRoutes(app: App, deps: Deps): void {
  app.route({
    ...draftRoutes.populateDrafts,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const { rows, next } = await listDrafts(deps.db, request.params.userId, request.query);
      return { data: rows.map(presentDraft), next };
    },
  });
  app.route({
    ...draftRoutes.viewAllDrafts,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listDrafts(deps.db, undefined, request.query);
      return { data: rows.map(presentDraft), next };
    },
  });
  app.route({
    ...draftRoutes.viewOneDraft,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => ({ message: "Draft", data: presentDraft(await getDraft(deps.db, request.params)) }),
  });
}

/** The contract's answer is the JSON one; a stream passes its serializer by. */
async function sendCsv(reply: unknown, name: string, lines: AsyncGenerator<string>): Promise<FastifyReply> {
  const file = (reply as FastifyReply)
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`);
  return await file.send(Readable.from(lines));
}

type MessageKey = { userId: string; messageId: string };

function steeringRoutes(app: App, deps: Deps): void {
  /** Every open page of the customer sees it at once, whoever pressed. */
  type Act = (tx: Tx, key: MessageKey, now: Date) => Promise<void>;
  const steer =
    (act: Act, message: string, changed: (key: MessageKey) => Change) => async (request: { params: MessageKey }) => {
      const key = request.params;
      await withTransaction(deps.db, async (tx) => {
        await act(tx, key, deps.clock.now());
        await publishChange(tx, changed(key));
      });
      return { message };
    };
  app.route({
    ...contract.pause,
    onRequest: requireCustomer,
    handler: steer(pauseMessage, "Paused. What is not sent yet waits", messagePaused),
  });
  app.route({
    ...contract.resume,
    onRequest: requireCustomer,
    handler: steer(resumeMessage, "Going on", messageResumed),
  });
  const cancelled = "Cancelled. The units of what was not sent come back";
  app.route({
    ...contract.cancel,
    onRequest: requireCustomer,
    handler: steer(cancelMessage, cancelled, messageCancelled),
  });
  app.route({
    ...contract.deleteSmsMessage,
    onRequest: requireCustomer,
    handler: steer(hideMessage, "Deleted Successfully", messageDeleted),
  });
  app.route({
    ...draftRoutes.deleteDraft,
    onRequest: requireCustomer,
    handler: async (request) => {
      await deleteDraft(deps, request.params);
      return { message: "Deleted Successfully" };
    },
  });
}
