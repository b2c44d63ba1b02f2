/** Sending by program, following what was sent, and steering it. */
import { programRoutes as contract } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, refuseFields } from "../../../http/bounds/json-bytes.ts";
import {
  countRecipientsByPages,
  getMessage,
  listMessages,
  listRecipients,
  listSentAndScheduled,
  selectClickTotals,
} from "../../delivery/index.ts";
import { withClosedLanes } from "../history/history-routes.ts";
import { steerMessage } from "../history/steer-message.ts";
import { presentMessages, presentOneMessage, presentRecipient } from "../present-message.ts";
import { editScheduledForProgram } from "../scheduled/edit-scheduled.ts";
import { presentScheduled, presentSend } from "../send/present-send.ts";
import { sendForProgram, type SendDeps } from "../send/send.ts";
import { callerOf, messageKeyOf, programOf } from "./require-key.ts";

const SEND = { scope: "messages:send" } as const;
const READ = { scope: "messages:read" } as const;

/** In a scope that takes JSON as bytes. */
export function messageRoutes(app: App, deps: SendDeps): void {
  sendingRoutes(app, deps);
  steeringRoutes(app, deps);
  readingRoutes(app, deps);
}

function sendingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.sendMessage,
    config: SEND,
    handler: async (request, reply) => {
      const send = { bytes: bytesOf(request), key: request.headers["idempotency-key"] };
      const { status, body } = presentSend(await sendForProgram(deps, callerOf(request), send));
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.editMessage,
    config: SEND,
    handler: async (request) => {
      const edit = { messageId: request.params.messageId, bytes: bytesOf(request) };
      return presentScheduled(await editScheduledForProgram(deps, callerOf(request), edit));
    },
  });
}

function steeringRoutes(app: App, deps: SendDeps): void {
  const steer = (verb: "pause" | "resume" | "cancel", message: string) => {
    return async (request: FastifyRequest & { params: { messageId: string } }): Promise<{ message: string }> => {
      refuseFields(bytesOf(request));
      await steerMessage(deps, messageKeyOf(request), verb);
      return { message };
    };
  };
  app.route({
    ...contract.pauseMessage,
    config: SEND,
    handler: steer("pause", "Paused. The rest waits until you resume"),
  });
  app.route({ ...contract.resumeMessage, config: SEND, handler: steer("resume", "Sending resumed") });
  app.route({
    ...contract.cancelMessage,
    config: SEND,
    handler: steer("cancel", "Cancelled. The units of what was not sent are back in your balance"),
  });
}

function readingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.listMessages,
    config: READ,
    handler: async (request) => {
      const { userId, mode } = programOf(request);
      const { state, ...asked } = request.query;
      const query = { ...asked, mode };
      const { rows, next } =
        state === undefined
          ? await listSentAndScheduled(deps.db, { userId, query })
          : state === "scheduled"
            ? await listMessages(deps.db, { userId, query, isScheduled: true })
            : await listMessages(deps.db, { userId, query: await withClosedLanes(deps, { ...query, state }) });
      return { data: await presentMessages(deps, rows), next };
    },
  });
  app.route({
    ...contract.viewMessage,
    config: READ,
    handler: async (request) => {
      const key = messageKeyOf(request);
      const message = await getMessage(deps.db, key);
      const clicks = await selectClickTotals(deps.db, key);
      const pageCounts = message.isMerged ? await countRecipientsByPages(deps.db, message) : [];
      return { message: "Message", data: await presentOneMessage(deps, message, clicks, pageCounts) };
    },
  });
  app.route({
    ...contract.listRecipients,
    config: READ,
    handler: async (request) => {
      const { rows, next } = await listRecipients(deps.db, { ...messageKeyOf(request), ...request.query });
      return { data: rows.map(presentRecipient), next };
    },
  });
}
