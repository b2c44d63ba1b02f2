import { draftRoutes, messageRoutes, type SendAnswer } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Answer } from "../../db/idempotency.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { countTry, rateRules } from "../../http/rate-limit.ts";
import { Gate } from "../../http/gate.ts";
import { requireCustomer } from "../../http/session.ts";
import { BodyReader, INLINE_BYTES_MAX } from "./body-reader.ts";
import type { Caller } from "./check-sender.ts";
import { editDraft, readDraftLength, saveDraft } from "./drafts.ts";
import { bytesOf, takeJsonAsBytes } from "./json-bytes.ts";
import { sendDraft } from "./send-draft.ts";
import { sendMessage } from "./send-message.ts";
import { sendOnce } from "./send-once.ts";

/** Together these leave two of the ten connections to everybody who does not send. */
const SMALL_SENDS = { placesMax: 6, waitingMax: 2_000 };
/** Each works for seconds, and each that waits holds up to 20 MB. */
const LARGE_SENDS = { placesMax: 2, waitingMax: 8 };

/** Everything whose body may hold a million numbers. */
export async function sendRoutes(app: App, deps: Deps): Promise<void> {
  const bodies = new BodyReader();
  app.addHook("onClose", async () => await bodies.close());
  await app.register(async (scope: App) => {
    takeJsonAsBytes(scope);
    sendingRoutes(scope, { ...deps, bodies });
    savingRoutes(scope, { ...deps, bodies });
  });
}

const EMPTY_OBJECT = Buffer.from("{}");

function sendingRoutes(app: App, deps: Deps & { bodies: BodyReader }): void {
  const gates = { small: new Gate(SMALL_SENDS), large: new Gate(LARGE_SENDS) };
  const inTurn = async (byteLength: number, work: (tx: Tx) => Promise<Answer<SendAnswer>>): Promise<Answer<SendAnswer>> => {
    const gate = byteLength > INLINE_BYTES_MAX ? gates.large : gates.small;
    return await gate.run(() => withTransaction(deps.db, work));
  };
  app.route({
    ...messageRoutes.sendBulkSms,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      await countTry(deps, deps.db, rateRules.send, userId);
      const bytes = bytesOf(request);
      const { byteLength } = bytes;
      const read = await deps.bodies.read("send-json", bytes, byteLength);
      const key = { userId, scope: "send-bulk-sms", key: request.headers["idempotency-key"], fingerprint: read.fingerprint } as const;
      const caller = callerOf(request, userId);
      const answer = await inTurn(byteLength, (tx) => sendOnce(tx, key, () => sendMessage(deps, tx, caller, read)));
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });
  app.route({
    ...draftRoutes.sendDraftSms,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId, draftId } = request.params;
      await countTry(deps, deps.db, rateRules.send, userId);
      const bytes = bytesOf(request);
      const isAsItIs = bytes.byteLength === 0 || bytes.equals(EMPTY_OBJECT);
      const byteLength = isAsItIs ? await readDraftLength(deps.db, { userId, draftId }) : bytes.byteLength;
      const read = isAsItIs ? undefined : await deps.bodies.read("send-json", bytes, byteLength);
      const send = { draftId, key: request.headers["idempotency-key"], request: read };
      const answer = await inTurn(byteLength, (tx) => sendDraft(deps, tx, callerOf(request, userId), send));
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });
}

function savingRoutes(app: App, deps: Deps & { bodies: BodyReader }): void {
  app.route({
    ...draftRoutes.draftMessage,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const bytes = bytesOf(request);
      const draft = await deps.bodies.read("draft-json", bytes, bytes.byteLength);
      const draftId = await saveDraft(deps, request.params.userId, draft);
      return await reply.code(201).send({ message: "Saved to your drafts", data: { _id: draftId } });
    },
  });
  app.route({
    ...draftRoutes.editDraft,
    onRequest: requireCustomer,
    handler: async (request) => {
      const bytes = bytesOf(request);
      const draft = await deps.bodies.read("draft-json", bytes, bytes.byteLength);
      await editDraft(deps, request.params, draft);
      return { message: "Draft saved" };
    },
  });
}

function callerOf(request: FastifyRequest, userId: string): Caller {
  return { userId, via: "dashboard", clientAddress: request.ip };
}

function isDndAnswer(answer: Answer<SendAnswer>): answer is Answer<SendAnswer & { dnd: true }> {
  return answer.body.dnd === true;
}
