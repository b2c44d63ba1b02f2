import { MILLI_PER_UNIT, unitsForJson, type EditScheduledBody, type SendAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Answer } from "../../../db/idempotency.ts";
import type { Tx } from "../../../db/transaction.ts";
import { publishChange, scheduledMessageEdited } from "../../../events/index.ts";
import { holdUnits, readBalance, settleHold } from "../../../ledger/index.ts";
import {
  lockScheduledMessage,
  moveScheduledMessage,
  readMessageNumbers,
  replaceScheduledMessage,
  type ScheduledMessage,
} from "../../delivery/index.ts";
import { checkSend, contentsOf, unitDetailsOf, type Price } from "../send/check-send.ts";
import type { Caller } from "../send/check-sender.ts";
import { countTowardsCap } from "../limits/daily-limit.ts";
import type { SendRequest } from "../read-body/read-send.ts";
import { readCatalogText } from "../send/resolve-send.ts";
import type { SendDeps } from "../send/send-deps.ts";
import { scheduledAnswer } from "../send/send-message.ts";
import { checkSendAt, type SendTime } from "./send-time.ts";

type Key = { userId: string; messageId: string };

/**
 * Changes a message that waits for its time. Another time alone leaves its price; anything else is checked and priced like a
 * send of today, and its units are set aside anew: the old ones are released and the new ones held in the same transaction.
 *
 * @param tx open transaction; it locks the message, and at its end the customer's account.
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` once its time has come; and as `sendMessage`. Then nothing has changed.
 */
export async function editScheduled(
  deps: SendDeps,
  tx: Tx,
  caller: Caller,
  edit: { messageId: string; body: EditScheduledBody },
): Promise<Answer<SendAnswer>> {
  const { body } = edit;
  const key = { userId: caller.userId, messageId: edit.messageId };
  const message = await lockScheduledMessage(tx, key);
  const time = {
    sendAt: body.sendAt === undefined ? message.sendAt : new Date(body.sendAt),
    timeZone: body.timeZone ?? message.timeZone,
  };
  if (body.sendAt !== undefined) checkSendAt(deps, time.sendAt);
  const answer = hasNewContents(body)
    ? await replaceContents(deps, tx, caller, { key, message, body, time })
    : await moveToTime(tx, key, message, time);
  await publishChange(tx, scheduledMessageEdited(key));
  return answer;
}

function hasNewContents({ senderName, message, phoneNo, catalogId, code }: EditScheduledBody): boolean {
  return [senderName, message, phoneNo, catalogId, code].some((field) => field !== undefined);
}

async function moveToTime(tx: Tx, key: Key, message: ScheduledMessage, time: SendTime): Promise<Answer<SendAnswer>> {
  await moveScheduledMessage(tx, key, time);
  const { freeMilli } = await readBalance(tx, key.userId);
  return scheduledAnswer(200, "Saved", key.messageId, {
    received: message.recipientCount,
    recipients: message.waitingCount,
    duplicates: 0,
    dnd: message.recipientCount - message.waitingCount,
    pages: message.pageCount,
    rate: message.priceMilli / message.pageCount / MILLI_PER_UNIT,
    charged: unitsForJson(message.waitingCount * message.priceMilli),
    available: unitsForJson(freeMilli),
  });
}

type Replacement = { key: Key; message: ScheduledMessage; body: EditScheduledBody; time: SendTime };

async function replaceContents(
  deps: SendDeps,
  tx: Tx,
  caller: Caller,
  { key, message, body, time }: Replacement,
): Promise<Answer<SendAnswer>> {
  const request = await readRequest(deps, tx, key, message, body);
  const heldMilli = message.holdId === undefined ? 0 : message.waitingCount * message.priceMilli;
  const countedRecipients = request.code === message.code ? message.waitingCount : 0;
  const { price, userName, now, capUse } = await checkSend(deps, tx, caller, request, { heldMilli, countedRecipients });
  const holdId = holdIdFor(message, price, heldMilli);
  await replaceScheduledMessage(tx, {
    ...key,
    ...time,
    userName,
    ...contentsOf(request, price),
    holdId,
    createdAt: now,
  });
  await countTowardsCap(tx, capUse);
  // The account is locked last, by both: what is released here is free for the hold that follows.
  if (message.holdId !== undefined && message.holdId !== holdId)
    await settleHold(tx, { userId: key.userId, holdId: message.holdId });
  if (holdId !== undefined && holdId !== message.holdId) {
    await holdUnits(tx, { userId: key.userId, holdId, amountMilli: price.chargeMilli, sendId: key.messageId });
  }
  const { freeMilli } = await readBalance(tx, key.userId);
  return scheduledAnswer(200, "Saved", key.messageId, unitDetailsOf(request, price, freeMilli));
}

/** A hold never changes its amount: the same amount keeps it, another one needs another. */
function holdIdFor(message: ScheduledMessage, price: Price, heldMilli: number): string | undefined {
  if (price.chargeMilli === 0) return undefined;
  return price.chargeMilli === heldMilli ? message.holdId : uuidv7();
}

async function readRequest(
  deps: SendDeps,
  tx: Tx,
  key: Key,
  message: ScheduledMessage,
  body: EditScheduledBody,
): Promise<SendRequest> {
  const { catalogId } = body;
  const phoneNo =
    body.phoneNo ??
    (catalogId === undefined
      ? await readMessageNumbers(tx, key)
      : await readCatalogText(tx, { userId: key.userId, catalogId }));
  const fields = {
    senderName: body.senderName ?? message.senderName,
    message: body.message ?? message.body,
    code: body.code ?? message.code,
    phoneNo,
  };
  return await deps.bodies.read("send-fields", fields, phoneNo.length);
}
