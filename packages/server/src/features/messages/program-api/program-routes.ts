/** The API for programs, and the GET form. Fields, checks and answers are those of the dashboard's calls. */
import { getFormRoutes, programRoutes as contract, unitsForJson } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, refuseFields, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { readBalance } from "../../../ledger/index.ts";
import {
  getMessage,
  listInbox,
  listMessages,
  listRecipients,
  presentInbox,
  selectClickTotals,
} from "../../delivery/index.ts";
import { checkBody, readJson } from "../../../http/bounds/read-body.ts";
import { addToOptOuts, removeFromOptOuts } from "../opt-outs/change-opt-outs.ts";
import { answerOptOuts, presentAdded, presentRemoved } from "../opt-outs/opt-out-routes.ts";
import { steerMessage } from "../history/steer-message.ts";
import { presentMessages, presentOneMessage, presentRecipient } from "../present-message.ts";
import { choicesOf, refuseTimes } from "../read-body/read-send.ts";
import { presentSend, presentSent } from "../send/present-send.ts";
import { sendForProgram, type SendDeps } from "../send/send.ts";
import { callerOf, programOf, requireKey } from "./require-key.ts";
import { sendByGetForm } from "./send-by-get-form.ts";

export async function programRoutes(app: App, deps: SendDeps): Promise<void> {
  await app.register(async (scope: App) => {
    requireKey(scope, deps);
    takeJsonAsBytes(scope);
    sendingRoutes(scope, deps);
    keepingRoutes(scope, deps);
    readingRoutes(scope, deps);
  });
  // Outside the scope: its key comes in the URL.
  app.route({
    ...getFormRoutes.sendByGetForm,
    // Link previews and scanners ask with HEAD.
    exposeHeadRoute: false,
    preValidation: async (request) => refuseTimes(request.query),
    handler: async (request, reply) => {
      const { status, body } = presentSent(
        await sendByGetForm(deps, { ...request.params, ...choicesOf(request.query) }, request.ip),
      );
      return await reply.code(status).send(body);
    },
  });
}

function sendingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.sendMessage,
    config: { scope: "messages:send" },
    handler: async (request, reply) => {
      const send = { bytes: bytesOf(request), key: request.headers["idempotency-key"] };
      const { status, body } = presentSend(await sendForProgram(deps, callerOf(request), send));
      return await reply.code(status).send(body);
    },
  });

  app.route({
    ...contract.cancelMessage,
    config: { scope: "messages:send" },
    handler: async (request) => {
      const { userId } = programOf(request);
      refuseFields(bytesOf(request));
      await steerMessage(deps, { userId, messageId: request.params.messageId }, "cancel");
      return { message: "Cancelled. The units of what was not sent are back in your balance" };
    },
  });
}

/** Changing the account's lists. */
function keepingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.addOptOuts,
    config: { scope: "contacts" },
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      const body = optOutsOf(bytesOf(request));
      return await reply.code(201).send(presentAdded(await addToOptOuts(deps, userId, body.phoneNo, "api")));
    },
  });
  app.route({
    ...contract.removeOptOuts,
    config: { scope: "contacts" },
    handler: async (request) => {
      const { userId } = programOf(request);
      return presentRemoved(await removeFromOptOuts(deps, userId, optOutsOf(bytesOf(request)).phoneNo));
    },
  });
}

/** Bodies of programs arrive as bytes. @throws AppError `VALIDATION`. */
function optOutsOf(bytes: Buffer): { phoneNo: string } {
  const json = readJson(bytes);
  const read = json.kind === "wrong" ? json : checkBody(contract.addOptOuts.schema.body, json.value);
  if (read.kind === "wrong") throw new AppError("VALIDATION", { fields: read.fields });
  return read.value;
}

function readingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.listMessages,
    config: { scope: "messages:read" },
    handler: async (request) => {
      const { userId } = programOf(request);
      const { rows, next } = await listMessages(deps.db, { userId, query: request.query });
      return { data: await presentMessages(deps, rows), next };
    },
  });

  app.route({
    ...contract.viewMessage,
    config: { scope: "messages:read" },
    handler: async (request) => {
      const { userId } = programOf(request);
      const key = { userId, messageId: request.params.messageId };
      const message = await getMessage(deps.db, key);
      const clicks = await selectClickTotals(deps.db, key);
      return { message: "Message", data: await presentOneMessage(deps, message, clicks) };
    },
  });

  app.route({
    ...contract.listRecipients,
    config: { scope: "messages:read" },
    handler: async (request) => {
      const { userId } = programOf(request);
      const { rows, next } = await listRecipients(deps.db, {
        userId,
        messageId: request.params.messageId,
        ...request.query,
      });
      return { data: rows.map(presentRecipient), next };
    },
  });

  app.route({
    ...contract.listInbox,
    config: { scope: "inbox" },
    handler: async (request) => {
      const { userId } = programOf(request);
      const { rows, next } = await listInbox(deps.db, { userId, ...request.query });
      return { data: rows.map(presentInbox), next };
    },
  });

  app.route({
    ...contract.listOptOuts,
    config: { scope: "contacts" },
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      return await answerOptOuts(deps, reply, userId, request.query);
    },
  });

  app.route({
    ...contract.balance,
    config: { scope: "billing:read" },
    handler: async (request) => {
      const { freeMilli } = await readBalance(deps.db, programOf(request).userId);
      return { message: "Balance", data: { units: unitsForJson(freeMilli) } };
    },
  });
}
