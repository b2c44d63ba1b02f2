/** The API for programs, and the GET form. Fields, checks and answers are those of the dashboard's calls. */
import { getFormRoutes, programRoutes as contract, unitsForJson } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, refuseFields, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { readBalance } from "../../../ledger/index.ts";
import { findApiKeyOwner, findCustomer } from "../../accounts/index.ts";
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
import { countProgramCall } from "../limits/call-limit.ts";
import { presentMessages, presentOneMessage, presentRecipient } from "../present-message.ts";
import { choicesOf, refuseTimes } from "../read-body/read-send.ts";
import { checkAddress, type Caller } from "../send/check-send.ts";
import { presentSend, presentSent } from "../send/present-send.ts";
import { sendForProgram, type SendDeps } from "../send/send.ts";
import { sendByGetForm } from "./send-by-get-form.ts";

declare module "fastify" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Whose key came with the request; empty before the key was looked at. */
    keyOwnerId: string;
  }
}

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
    handler: async (request, reply) => {
      const send = { bytes: bytesOf(request), key: request.headers["idempotency-key"] };
      const { status, body } = presentSend(await sendForProgram(deps, programOf(request), send));
      return await reply.code(status).send(body);
    },
  });

  app.route({
    ...contract.cancelMessage,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
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
    handler: async (request, reply) => {
      const userId = await checkProgramAddress(deps, request);
      const body = optOutsOf(bytesOf(request));
      return await reply.code(201).send(presentAdded(await addToOptOuts(deps, userId, body.phoneNo, "api")));
    },
  });
  app.route({
    ...contract.removeOptOuts,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
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
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      const { rows, next } = await listMessages(deps.db, { userId, query: request.query });
      return { data: await presentMessages(deps, rows), next };
    },
  });

  app.route({
    ...contract.viewMessage,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      const key = { userId, messageId: request.params.messageId };
      const message = await getMessage(deps.db, key);
      const clicks = await selectClickTotals(deps.db, key);
      return { message: "Message", data: await presentOneMessage(deps, message, clicks) };
    },
  });

  app.route({
    ...contract.listRecipients,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
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
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      const { rows, next } = await listInbox(deps.db, { userId, ...request.query });
      return { data: rows.map(presentInbox), next };
    },
  });

  app.route({
    ...contract.listOptOuts,
    handler: async (request, reply) => {
      const userId = await checkProgramAddress(deps, request);
      return await answerOptOuts(deps, reply, userId, request.query);
    },
  });

  app.route({
    ...contract.balance,
    handler: async (request) => {
      const { freeMilli } = await readBalance(deps.db, await checkProgramAddress(deps, request));
      return { message: "Balance", data: { units: unitsForJson(freeMilli) } };
    },
  });
}

/**
 * Makes every route of a scope one for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. Sessions open nothing
 * here, so that no page of another site can use a visitor's cookie.
 */
function requireKey(scope: App, deps: Pick<Deps, "db" | "clock" | "config">): void {
  scope.decorateRequest("keyOwnerId", "");
  scope.addHook("onRequest", async (request, reply) => {
    const owner = await findApiKeyOwner(deps, readKey(request) ?? "");
    if (owner === undefined) throw new AppError("AUTH_REQUIRED", { message: "This call needs an API key" });
    request.keyOwnerId = owner.userId;
    const count = await countProgramCall(deps, owner);
    if (count === undefined) return;
    // The answer says where the key stands: draft-ietf-httpapi-ratelimit-headers-10.
    void reply
      .header("ratelimit-policy", `"key";q=${count.callsMax};w=1`)
      .header("ratelimit", `"key";r=${count.left};t=${count.resetSeconds}`);
    if (count.isOver) throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: count.resetSeconds } });
  });
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const named = headers["x-api-key"];
  if (typeof named === "string") return named;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

function programOf(request: FastifyRequest): Caller {
  return { userId: request.keyOwnerId, via: "program", clientAddress: request.ip };
}

/** For calls that only read; a send checks its address in the order of its own checks. @throws AppError `ADDRESS_NOT_APPROVED`. */
async function checkProgramAddress(deps: Pick<Deps, "db">, request: FastifyRequest): Promise<string> {
  const caller = programOf(request);
  const customer = await findCustomer(deps.db, caller.userId);
  if (customer === undefined) throw new AppError("AUTH_REQUIRED");
  await checkAddress(deps.db, caller, customer);
  return caller.userId;
}
