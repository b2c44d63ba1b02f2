import { draftRoutes, messageRoutes, scheduledRoutes } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { getMessage } from "../../delivery/index.ts";
import { limitSends } from "../limits/call-limit.ts";
import type { Caller } from "./check-sender.ts";
import { editDraft, readDraftLength, saveDraft, toDraft } from "../drafts/drafts.ts";
import { editScheduled } from "../scheduled/edit-scheduled.ts";
import { refuseTimeFields } from "../read-body/read-send.ts";
import { resendFailed } from "./resend-failed.ts";
import { resolveSend } from "./resolve-send.ts";
import { BYTES_PER_NUMBER, type SendDeps } from "./send-deps.ts";
import { sendDraft } from "../drafts/send-draft.ts";
import { sendMessage } from "./send-message.ts";
import { isDndAnswer, sendNow, withDnd } from "./send-now.ts";
import { sendOnce } from "./send-once.ts";

/** Everything that sends, and everything whose body may hold a million numbers. */
export async function sendRoutes(app: App, deps: SendDeps): Promise<void> {
  resendRoute(app, deps);
  await app.register(async (scope: App) => {
    takeJsonAsBytes(scope);
    sendingRoutes(scope, deps);
    schedulingRoutes(scope, deps);
    savingRoutes(scope, deps);
  });
}

const EMPTY_OBJECT = Buffer.from("{}");

function sendingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...messageRoutes.sendBulkSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const caller = callerOf(request, request.params.userId);
      const answer = await sendNow(deps, caller, { bytes: bytesOf(request), key: request.headers["idempotency-key"] });
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });
  app.route({
    ...draftRoutes.sendDraftSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const { userId, draftId } = request.params;
      const bytes = bytesOf(request);
      const isAsItIs = bytes.byteLength === 0 || bytes.equals(EMPTY_OBJECT);
      const { byteLength } = bytes;
      const send = isAsItIs
        ? undefined
        : await resolveSend(deps, userId, await deps.bodies.read("send-json", bytes, byteLength), byteLength);
      const sentBytes = send?.byteLength ?? (await readDraftLength(deps.db, { userId, draftId }));
      const draft = { draftId, key: request.headers["idempotency-key"], send };
      const answer = await deps.inTurn(sentBytes, (tx) => sendDraft(deps, tx, callerOf(request, userId), draft));
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });
}

function resendRoute(app: App, deps: SendDeps): void {
  app.route({
    ...messageRoutes.resendFailed,
    onRequest: [requireCustomer, limitSends(deps)],
    preValidation: async (request) => refuseTimes(request.body),
    handler: async (request, reply) => {
      const { userId, messageId } = request.params;
      const resend = {
        messageId,
        states: request.body?.states ?? (["failed"] as const),
        key: request.headers["idempotency-key"],
      };
      const answer = await resendFailed(deps, callerOf(request, userId), resend);
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });
}

function schedulingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...scheduledRoutes.scheduleSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const { userId } = request.params;
      const bytes = bytesOf(request);
      const { byteLength } = bytes;
      const read = await deps.bodies.read("schedule-json", bytes, byteLength);
      const time = { sendAt: new Date(read.sendAt), timeZone: read.timeZone };
      const send = await resolveSend(deps, userId, read, byteLength);
      const key = {
        userId,
        scope: "schedule-sms",
        key: request.headers["idempotency-key"],
        fingerprint: send.fingerprint,
      } as const;
      const caller = callerOf(request, userId);
      const { body } = await deps.inTurn(send.byteLength, (tx) =>
        sendOnce(tx, key, () => sendMessage(deps, tx, caller, send.getRequest(), time)),
      );
      return await reply.code(201).send(withDnd(body));
    },
  });
  app.route({
    ...scheduledRoutes.editScheduledSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request) => {
      const { userId, messageId } = request.params;
      const bytes = bytesOf(request);
      const { byteLength } = bytes;
      const body = await deps.bodies.read("edit-scheduled-json", bytes, byteLength);
      // Numbers that stay are read again with the new text.
      const { recipientCount } = await getMessage(deps.db, { userId, messageId });
      const numberBytes = Math.max(byteLength, recipientCount * BYTES_PER_NUMBER);
      const answer = await deps.inTurn(numberBytes, (tx) =>
        editScheduled(deps, tx, callerOf(request, userId), { messageId, body }),
      );
      return withDnd(answer.body);
    },
  });
}

function savingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...draftRoutes.draftMessage,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const bytes = bytesOf(request);
      const body = await deps.bodies.read("draft-json", bytes, bytes.byteLength);
      const draftId = await saveDraft(deps, userId, await toDraft(deps.db, userId, body));
      return await reply.code(201).send({ message: "Saved to your drafts", data: { _id: draftId } });
    },
  });
  app.route({
    ...draftRoutes.editDraft,
    onRequest: requireCustomer,
    handler: async (request) => {
      const bytes = bytesOf(request);
      const body = await deps.bodies.read("draft-json", bytes, bytes.byteLength);
      await editDraft(deps, request.params, await toDraft(deps.db, request.params.userId, body));
      return { message: "Draft saved" };
    },
  });
}

/** @throws AppError `VALIDATION` for a field about a time. */
export function refuseTimes(body: unknown): void {
  const fields = refuseTimeFields(body);
  if (Object.keys(fields).length > 0) throw new AppError("VALIDATION", { fields });
}

function callerOf(request: FastifyRequest, userId: string): Caller {
  return { userId, via: "dashboard", clientAddress: request.ip };
}
