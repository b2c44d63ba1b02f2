import { MILLI_PER_UNIT, unitsForJson, type EditScheduledBody, type UnitDetails } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../db/transaction.ts";
import { publishChange, scheduledMessageEdited } from "../../../events/index.ts";
import { holdUnits, readBalance, settleHold } from "../../../ledger/index.ts";
import {
  getMessage,
  lockScheduledMessage,
  moveScheduledMessage,
  readMessageNumbers,
  replaceScheduledMessage,
  type ScheduledMessage,
} from "../../delivery/index.ts";
import {
  checkSend,
  checkSendAt,
  contentsOf,
  unitDetailsOf,
  type Caller,
  type Price,
  type SendTime,
} from "../send/check-send.ts";
import { countTowardsDailyLimit } from "../limits/daily-limit.ts";
import type { SendRequest } from "../read-body/read-send.ts";
import type { SendOutcome } from "../send/present-send.ts";
import { BYTES_PER_NUMBER, readCatalogText, type SendDeps } from "../send/send.ts";

type Key = { userId: string; messageId: string };

/**
 * Changes a message that waits for its time, with the fields of a call's JSON.
 *
 * @throws AppError `VALIDATION`, and as `applyEdit`.
 */
export async function editScheduled(
  deps: SendDeps,
  caller: Caller,
  { messageId, bytes }: { messageId: string; bytes: Buffer },
): Promise<SendOutcome> {
  const { byteLength } = bytes;
  const body = await deps.bodies.read("edit-scheduled-json", bytes, byteLength);
  // Numbers that stay are read again with the new text.
  const { recipientCount } = await getMessage(deps.db, { userId: caller.userId, messageId });
  const numberBytes = Math.max(byteLength, recipientCount * BYTES_PER_NUMBER);
  return await deps.inTurn(numberBytes, (tx) => applyEdit(deps, tx, caller, { messageId, body }));
}

/**
 * Another time alone keeps the price; anything else is checked and priced like a send of today, and the units are set aside
 * anew: the old ones are released and the new ones held in the same transaction.
 *
 * @param tx open transaction; it locks the message, and at its end the customer's account.
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` once its time has come; and as `sendMessage`. Then nothing has changed.
 */
export async function applyEdit(
  deps: SendDeps,
  tx: Tx,
  caller: Caller,
  edit: { messageId: string; body: EditScheduledBody },
): Promise<SendOutcome> {
  const { body } = edit;
  const key = { userId: caller.userId, messageId: edit.messageId };
  const message = await lockScheduledMessage(tx, key);
  const time = {
    sendAt: body.sendAt === undefined ? message.sendAt : new Date(body.sendAt),
    timeZone: body.timeZone ?? message.timeZone,
  };
  if (body.sendAt !== undefined) checkSendAt(deps, time.sendAt);
  const units = hasNewContents(body)
    ? await replaceContents(deps, tx, caller, { key, message, body, time })
    : await moveToTime(tx, key, message, time);
  await publishChange(tx, scheduledMessageEdited(key));
  return { kind: "saved", messageId: key.messageId, units };
}

function hasNewContents({ senderName, message, phoneNo, catalogId, code }: EditScheduledBody): boolean {
  return [senderName, message, phoneNo, catalogId, code].some((field) => field !== undefined);
}

async function moveToTime(tx: Tx, key: Key, message: ScheduledMessage, time: SendTime): Promise<UnitDetails> {
  await moveScheduledMessage(tx, key, time);
  const { freeMilli } = await readBalance(tx, key.userId);
  return {
    received: message.recipientCount,
    recipients: message.waitingCount,
    duplicates: 0,
    dnd: message.recipientCount - message.waitingCount,
    pages: message.pageCount,
    rate: message.priceMilli / message.pageCount / MILLI_PER_UNIT,
    charged: unitsForJson(message.waitingCount * message.priceMilli),
    available: unitsForJson(freeMilli),
  };
}

type Replacement = { key: Key; message: ScheduledMessage; body: EditScheduledBody; time: SendTime };

async function replaceContents(
  deps: SendDeps,
  tx: Tx,
  caller: Caller,
  { key, message, body, time }: Replacement,
): Promise<UnitDetails> {
  const request = await readRequest(deps, tx, key, message, body);
  const heldMilli = message.holdId === undefined ? 0 : message.waitingCount * message.priceMilli;
  const countedRecipients = request.code === message.code ? message.waitingCount : 0;
  const { price, userName, now, dailyUse } = await checkSend(deps, tx, caller, request, {
    heldMilli,
    countedRecipients,
  });
  const holdId = holdIdFor(message, price, heldMilli);
  await replaceScheduledMessage(tx, {
    ...key,
    ...time,
    userName,
    ...contentsOf(request, price),
    holdId,
    createdAt: now,
  });
  await countTowardsDailyLimit(tx, dailyUse);
  // Both lock the account, which comes last. What is released here is free for the hold that follows.
  if (message.holdId !== undefined && message.holdId !== holdId)
    await settleHold(tx, { userId: key.userId, holdId: message.holdId });
  if (holdId !== undefined && holdId !== message.holdId) {
    await holdUnits(tx, { userId: key.userId, holdId, amountMilli: price.chargeMilli, sendId: key.messageId });
  }
  const { freeMilli } = await readBalance(tx, key.userId);
  return unitDetailsOf(request, price, freeMilli);
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
