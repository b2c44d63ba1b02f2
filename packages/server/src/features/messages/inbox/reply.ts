import { findLongestCode, inboxRoutes as contract } from "@ewebal/contract";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { AppError } from "../../../base/errors.ts";
import { inboxChanged, publishChange } from "../../../events/index.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { getInboxMessage, insertInboxReply } from "../../delivery/index.ts";
import { readRatesAt } from "../../rates/index.ts";
import { limitSends } from "../limits/call-limit.ts";
import { ANSWER_MS } from "../send/may-be-sent.ts";
import { isTest, type Caller } from "../send/check-send.ts";
import { dashboardCaller } from "../send/send-routes.ts";
import { presentDashboardSent, type SendOutcome } from "../send/present-send.ts";
import { sendMessage, sendOnce } from "../send/send-message.ts";
import type { SendDeps } from "../send/send.ts";

/** Answering what came into the inbox; reading it is in `delivery/inbound`. */
export function inboxRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.reply,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const { inboxId } = request.params;
      const caller = dashboardCaller(request);
      const asked = { inboxId, message: request.body.message, key: request.headers["idempotency-key"] };
      const { status, body } = presentDashboardSent(await replyToInbox(deps, caller, asked));
      return await reply.code(status).send(body);
    },
  });
}

/** Reading wants a sender name of the usual length; what stands in the message is the number. */
const PLACEHOLDER = "Reply";

/**
 * Answers a message from a phone: a send to one number, charged as any, that leaves from the number that was written to.
 *
 * @throws AppError `NOT_FOUND`; `NOT_SENDABLE` when a name wrote, which has no number; and as `sendMessage`.
 */
export async function replyToInbox(
  deps: SendDeps,
  caller: Caller,
  { inboxId, message, key }: { inboxId: string; message: string; key: string | undefined },
): Promise<SendOutcome> {
  const { userId } = caller;
  const inbound = await getInboxMessage(deps.db, { userId, inboundId: inboxId });
  const { fromAddress: phoneNo, toAddress } = inbound;
  const code = /^[0-9]+$/.test(phoneNo)
    ? findLongestCode(phoneNo, await readRatesAt(deps.db, deps.clock.now()))
    : undefined;
  if (code === undefined)
    throw new AppError("NOT_SENDABLE", { message: "Whoever wrote this has no number to answer to" });
  const read = await deps.bodies.read(
    "send-fields",
    { senderName: PLACEHOLDER, message, code, phoneNo },
    phoneNo.length,
  );
  const isAnswer = deps.clock.now().getTime() - inbound.receivedAt.getTime() <= ANSWER_MS;
  const request = { ...read, senderName: toAddress, isReply: true, isAnswer };
  const fingerprint = fingerprintOf({ inboxId, message });
  return await deps.inTurn(phoneNo.length, (tx) =>
    sendOnce(tx, { userId, mode: caller.mode, scope: "reply", key, fingerprint }, async () => {
      const outcome = await sendMessage(deps, tx, caller, request);
      // Nobody got a test's answer, so it stands in no conversation.
      if (isTest(caller)) return outcome;
      const { messageId } = outcome;
      await insertInboxReply(tx, { userId, messageId, personAddress: phoneNo, inboundId: inboxId });
      await publishChange(tx, inboxChanged(userId));
      return outcome;
    }),
  );
}
