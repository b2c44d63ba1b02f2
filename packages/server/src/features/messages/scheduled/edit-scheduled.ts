import {
  anchorRepeat,
  listRepeatTimes,
  MILLI_PER_UNIT,
  type AnchoredRepeat,
  unitsForJson,
  type EditScheduledBody,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../db/transaction.ts";
import {
  messageAwaitsApproval,
  messageInReview,
  publishChange,
  scheduledMessageEdited,
} from "../../../events/index.ts";
import { fieldError } from "../../../base/errors.ts";
import { holdUnits, readBalance, settleHold } from "../../../ledger/index.ts";
import {
  endScheduledMessage,
  getMessage,
  lockScheduledMessage,
  moveScheduledMessage,
  openingFor,
  readQuietHours,
  readMessageSource,
  repeatScheduledMessage,
  replaceScheduledMessage,
  type ScheduledMessage,
} from "../../delivery/index.ts";
import {
  checkSend,
  checkSendAt,
  contentsOf,
  isTest,
  unitDetailsOf,
  type Caller,
  type Price,
  type SendTime,
} from "../send/check-send.ts";
import { tellApprovers } from "../approvals/tell-approvers.ts";
import { countTowardsDailyLimit, countTowardsUnitCap } from "../limits/daily-limit.ts";
import { mergeTexts, type PricedRequest } from "../send/merge-send.ts";
import { type SendOutcome, waitsFor } from "../send/present-send.ts";
import { choicesOf } from "../read-body/read-send.ts";
import {
  BYTES_PER_NUMBER,
  choicesOfMessage,
  readCatalogSource,
  type CatalogSource,
  type SendDeps,
} from "../send/send.ts";
import { readValidUntil } from "../send/send-message.ts";

type Key = { userId: string; messageId: string };

/**
 * Changes a message that waits for its time, with the fields of a call's JSON.
 *
 * @throws AppError `VALIDATION`, and as `applyEdit`.
 */
export async function editScheduled(
  deps: SendDeps,
  caller: Caller,
  { bytes, messageId }: { messageId: string; bytes: Buffer },
): Promise<SendOutcome> {
  const { byteLength } = bytes;
  const body = await deps.bodies.read("edit-scheduled-json", bytes, byteLength);
  return await editWith(deps, caller, { messageId, body, byteLength });
}

/** As `editScheduled`, for programs, which change the text, the sender name and the time alone. */
export async function editScheduledForProgram(
  deps: SendDeps,
  caller: Caller,
  { bytes, messageId }: { messageId: string; bytes: Buffer },
): Promise<SendOutcome> {
  const { byteLength } = bytes;
  const body = await deps.bodies.read("program-edit-json", bytes, byteLength);
  return await editWith(deps, caller, { messageId, body, byteLength });
}

async function editWith(
  deps: SendDeps,
  caller: Caller,
  { messageId, body, byteLength }: { messageId: string; body: EditScheduledBody; byteLength: number },
): Promise<SendOutcome> {
  // Numbers that stay are read again with the new text.
  const { recipientCount } = await getMessage(deps.db, { userId: caller.userId, messageId, mode: caller.mode });
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
  editor: Caller,
  edit: { messageId: string; body: EditScheduledBody },
): Promise<SendOutcome> {
  const { body } = edit;
  const key = { userId: editor.userId, messageId: edit.messageId };
  const message = await lockScheduledMessage(tx, { ...key, mode: editor.mode });
  // A test stays one, whoever changes it.
  const caller = { ...editor, mode: message.mode };
  const time = {
    sendAt: body.sendAt === undefined ? message.sendAt : new Date(body.sendAt),
    timeZone: body.timeZone ?? message.timeZone,
  };
  if (body.sendAt !== undefined) checkSendAt(deps, time.sendAt);
  const repeat = repeatOf(body, message, time);
  if (repeat !== undefined) {
    const [first] = listRepeatTimes(repeat, time.timeZone, time.sendAt, 1);
    if (first === undefined) throw fieldError("repeat", "ends before the first time");
    time.sendAt = first;
  }
  const validUntil = validUntilOf(deps, body, message, { ...time, repeat });
  if (repeat !== message.repeat) await repeatScheduledMessage(tx, key, repeat);
  if (validUntil?.getTime() !== message.validUntil?.getTime()) await endScheduledMessage(tx, key, validUntil);
  const saved = hasNewContents(body)
    ? await replaceContents(deps, tx, caller, { key, message, body, time })
    : await moveToTime(deps, tx, key, message, time);
  await publishChange(tx, scheduledMessageEdited(key));
  return { kind: "saved", messageId: key.messageId, ...saved };
}

/**
 * What it has stays, unless it is to repeat from now on: only one that is sent once ends.
 *
 * @throws AppError `VALIDATION` for an end before the time at which it is sent, also one that it has had before it was moved.
 */
function validUntilOf(
  deps: SendDeps,
  { validUntil, repeat }: EditScheduledBody,
  before: ScheduledMessage,
  time: SendTime,
): Date | undefined {
  if (validUntil === null || (validUntil === undefined && repeat)) return undefined;
  const wanted = validUntil ?? before.validUntil?.toISOString();
  return readValidUntil(deps, { validUntil: wanted }, time);
}

/** Another time is the time of day at which it repeats; null ends the repeat. */
function repeatOf(
  body: EditScheduledBody,
  { repeat }: ScheduledMessage,
  { sendAt, timeZone }: SendTime,
): AnchoredRepeat | undefined {
  if (body.repeat === null) return undefined;
  const wanted = body.repeat ?? repeat;
  if (wanted === undefined || (body.repeat === undefined && body.sendAt === undefined)) return repeat;
  const { every, on, until } = wanted;
  return anchorRepeat({ every, on, until }, sendAt, timeZone);
}

function hasNewContents({
  sendAt: _sendAt,
  timeZone: _timeZone,
  onMissing: _onMissing,
  repeat: _repeat,
  validUntil: _validUntil,
  ...contents
}: EditScheduledBody): boolean {
  return Object.values(contents).some((field) => field !== undefined);
}

async function moveToTime(deps: SendDeps, tx: Tx, key: Key, message: ScheduledMessage, time: SendTime): Promise<Saved> {
  await moveScheduledMessage(tx, key, time);
  const lane = { code: message.code, class: message.class, waitsForHours: message.class === "promotional" };
  const opening = openingFor(await readQuietHours(deps, tx), lane, time.sendAt);
  const { freeMilli } = await readBalance(tx, key.userId);
  const units = {
    received: message.recipientCount,
    recipients: message.waitingCount,
    duplicates: 0,
    dnd: message.recipientCount - message.waitingCount - message.optedOutCount,
    pages: message.pageCount,
    rate: message.priceMilli / message.pageCount / MILLI_PER_UNIT,
    charged: unitsForJson(message.heldMilli),
    available: unitsForJson(freeMilli),
    ...(message.optedOutCount > 0 && { optedOut: message.optedOutCount }),
    ...(opening && { deferredUntil: opening.toISOString() }),
  };
  return { units, warnings: [], ...waitsFor(undefined) };
}

type Saved = Pick<SendOutcome, "units" | "warnings" | "isInReview" | "awaitsApproval">;

type Replacement = { key: Key; message: ScheduledMessage; body: EditScheduledBody; time: SendTime };

async function replaceContents(
  deps: SendDeps,
  tx: Tx,
  caller: Caller,
  { key, message, body, time }: Replacement,
): Promise<Saved> {
  const request = await readScheduledRequest(deps, tx, key, message, body);
  const heldMilli = message.holdId === undefined ? 0 : message.heldMilli;
  const countedRecipients = request.code === message.code ? message.waitingCount : 0;
  const taken = { heldMilli, countedRecipients };
  const checked = await checkSend(deps, tx, caller, request, { taken, leavesAt: time.sendAt });
  const { price, userName, now, dailyUse, unitUse, verdict } = checked;
  const holdId = isTest(caller) ? undefined : holdIdFor(message, price, heldMilli);
  await replaceScheduledMessage(
    tx,
    {
      ...key,
      ...time,
      userName,
      ...contentsOf(request, price),
      holdId,
      isTest: isTest(caller),
      createdAt: now,
    },
    verdict.review && { ...verdict.review, sentBy: caller.member?.personId, at: now },
  );
  await countTowardsDailyLimit(tx, dailyUse);
  await countTowardsUnitCap(tx, unitUse);
  // Both lock the account, which comes last. What is released here is free for the hold that follows.
  if (message.holdId !== undefined && message.holdId !== holdId)
    await settleHold(tx, { userId: key.userId, holdId: message.holdId });
  if (holdId !== undefined && holdId !== message.holdId) {
    await holdUnits(tx, { userId: key.userId, holdId, amountMilli: price.chargeMilli, sendId: key.messageId });
  }
  const { freeMilli } = await readBalance(tx, key.userId);
  const { warnings, review } = verdict;
  if (review !== undefined)
    await publishChange(tx, review.awaitsApproval ? messageAwaitsApproval(key.userId) : messageInReview());
  if (review?.awaitsApproval === true)
    await tellApprovers(deps, tx, {
      userId: key.userId,
      sentBy: caller.member?.personId,
      senderName: request.senderName,
      recipientCount: price.chargedCount,
    });
  return { units: unitDetailsOf(request, checked, freeMilli), warnings, ...waitsFor(review) };
}

/** A hold never changes its amount: the same amount keeps it, another one needs another. */
function holdIdFor(message: ScheduledMessage, price: Price, heldMilli: number): string | undefined {
  if (price.chargeMilli === 0) return undefined;
  return price.chargeMilli === heldMilli ? message.holdId : uuidv7();
}

/** What a scheduled message sends as it is, read again with its numbers, and with what a body has in place of its own. */
export async function readScheduledRequest(
  deps: SendDeps,
  tx: Tx,
  key: Key,
  message: ScheduledMessage,
  body: EditScheduledBody,
): Promise<PricedRequest> {
  const { recipients, onMissing } = body;
  const text = body.message ?? message.body;
  const choices = { ...choicesOfMessage(message), ...choicesOf(body) };
  // What a transactional message was to do about DND numbers is no choice of a promotional one.
  if (choices.class === "promotional" && body.dnd === undefined) delete choices.dnd;
  const fields = {
    ...choices,
    mode: message.mode,
    senderName: body.senderName ?? message.senderName,
    message: text,
    code: body.code ?? message.code,
    optOutLink: body.optOutLink ?? message.hasOptOutLink,
  };
  const { reference } = message;
  if (recipients !== undefined) {
    const given = { ...fields, recipients, onMissing };
    const request = await deps.bodies.read("send-fields", given, JSON.stringify(recipients).length);
    return await mergeTexts(deps, { ...request, reference });
  }
  const { phoneNo, personal } = await readSource(tx, key, message, body);
  const knownKeys = personal?.keys;
  const request = await deps.bodies.read("send-fields", { ...fields, phoneNo, knownKeys }, phoneNo.length);
  return await mergeTexts(deps, { ...request, personal, onMissing, reference });
}

type Source = Pick<CatalogSource, "phoneNo" | "personal">;

async function readSource(tx: Tx, key: Key, message: ScheduledMessage, body: EditScheduledBody): Promise<Source> {
  const { phoneNo, catalogId } = body;
  if (phoneNo !== undefined) return { phoneNo, personal: undefined };
  if (catalogId === undefined) return await readMessageSource(tx, key, message);
  return await readCatalogSource(tx, { userId: key.userId, catalogId }, body.message ?? message.body);
}
