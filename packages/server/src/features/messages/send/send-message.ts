/** One send that is read and priced, into the queue: its checks, its rows, and its key. `send.ts` says what comes before. */
import { anchorRepeat, listRepeatTimes, type ProgramKeyMode } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { fieldError } from "../../../base/errors.ts";
import type { Deps } from "../../../base/deps.ts";
import { makeId } from "../../../base/make-id.ts";
import { doOnce } from "../../../db/idempotency.ts";
import type { Tx } from "../../../db/transaction.ts";
import {
  messageAwaitsApproval,
  messageInReview,
  messageScheduled,
  messageSent,
  publishChange,
} from "../../../events/index.ts";
import { holdUnits, readBalance } from "../../../ledger/index.ts";
import { queueMessage, type QueueMessageInput } from "../../delivery/index.ts";
import { tellApprovers } from "../approvals/tell-approvers.ts";
import { countTowardsDailyLimit, countTowardsUnitCap } from "../limits/daily-limit.ts";
import { listNextTimes } from "../present-message.ts";
import type { TimedInput } from "../read-body/read-send.ts";
import {
  checkSend,
  checkSendAt,
  contentsOf,
  isTest,
  unitDetailsOf,
  type Caller,
  type CheckedMessage,
  type CheckOptions,
  type SendTime,
  type Taken,
} from "./check-send.ts";
import type { PricedRequest } from "./merge-send.ts";
import { followersFor, tellAccepted } from "./tell-accepted.ts";
import { keptSends, type SendOutcome, waitsFor } from "./present-send.ts";

/** What tells one request from another. Without a key every request is a new one. */
export type SendKey = {
  userId: string;
  scope:
    | "send-bulk-sms"
    | "send-draft-sms"
    | "schedule-sms"
    | "schedule-draft-sms"
    | "resend-failed"
    | "send-by-form"
    | "send-test"
    | "reply";
  /** A key that was used with a test key is free for a live one. */
  mode?: ProgramKeyMode | undefined;
  key: string | undefined;
  fingerprint: Uint8Array;
};

/**
 * Does the work together with its key, so that a repeated request gets the first outcome again and sends nothing.
 *
 * @param tx open transaction, in which the work does everything it does.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for something else, and what the work throws; then the key is free.
 */
export async function sendOnce(
  tx: Tx,
  { userId, mode, scope: liveScope, key, fingerprint }: SendKey,
  work: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const scope = mode === "test" ? `${liveScope} (test)` : liveScope;
  return await doOnce(tx, { actorId: userId, scope, key, fingerprint, answers: keptSends }, work);
}

/**
 * Queues a message, or schedules it when a time is given; its units are held from now on either way.
 *
 * @param tx open transaction; it locks the customer's account at its end.
 * @throws AppError `VALIDATION` for a time that has passed or is too far ahead, then the first check that fails.
 */
export async function sendMessage(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  request: PricedRequest,
  time?: SendTime,
  before: Before = {},
): Promise<SendOutcome> {
  const { userId } = caller;
  const options = before.taken && { taken: before.taken };
  const { message, checked } = await checkMessage(deps, tx, caller, { request, time }, options);
  const { messageId } = message;
  await queueMessage(tx, message);
  await countTowardsDailyLimit(tx, checked.dailyUse);
  await countTowardsUnitCap(tx, checked.unitUse);
  await before.giveBack?.();
  const amountMilli = message.holdId === undefined ? 0 : checked.price.chargeMilli;
  const { freeMilli } =
    amountMilli > 0
      ? (await holdUnits(tx, { userId, holdId: messageId, amountMilli })).balance
      : await readBalance(tx, userId);
  await publishSent(tx, userId, [message]);
  if (message.review?.awaitsApproval === true)
    await tellApprovers(deps, tx, {
      userId,
      sentBy: message.sentBy,
      senderName: message.senderName,
      recipientCount: checked.price.chargedCount,
    });
  const outcome = outcomeOf({ request, time }, { message, checked }, freeMilli);
  await tellAccepted(tx, [{ message, checked }], [outcome]);
  return outcome;
}

/** Tells the open pages of messages that were queued. */
export async function publishSent(tx: Tx, userId: string, messages: readonly QueueMessageInput[]): Promise<void> {
  if (messages.some(({ sendAt }) => sendAt === undefined)) await publishChange(tx, messageSent(userId));
  if (messages.some(({ sendAt }) => sendAt !== undefined)) await publishChange(tx, messageScheduled(userId));
  if (messages.some(({ review }) => review?.awaitsApproval === false)) await publishChange(tx, messageInReview());
  if (messages.some(({ review }) => review?.awaitsApproval === true))
    await publishChange(tx, messageAwaitsApproval(userId));
}

export type TimedRequest = { request: PricedRequest; time: SendTime | undefined };

/**
 * Checks a send and makes the message of it; nothing is written yet.
 *
 * @throws AppError as `sendMessage`.
 */
export async function checkMessage(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  { request, time }: TimedRequest,
  options: Omit<CheckOptions, "leavesAt"> = {},
): Promise<CheckedMessage> {
  if (time !== undefined) checkSendAt(deps, time.sendAt);
  const validUntil = readValidUntil(deps, request, time);
  const checked = await checkSend(deps, tx, caller, request, { leavesAt: time?.sendAt, ...options });
  const { userName, followedEvents, price, now, verdict } = checked;
  // The id of a scheduled message names the month of its time, in which its deliveries lie; until then it is listed by another id.
  const messageId = time === undefined ? makeId() : uuidv7({ msecs: time.sendAt.getTime() });
  const message: QueueMessageInput = {
    userId: caller.userId,
    messageId,
    userName,
    ...contentsOf(request, price),
    ...(request.secret && {
      body: request.secret.shown,
      sealedBody: request.secret.seal(messageId, request.message),
    }),
    holdId: price.chargeMilli > 0 && !isTest(caller) ? messageId : undefined,
    isTest: isTest(caller),
    createdAt: now,
    validUntil,
    reference: request.reference,
    ...(time && { ...time, listedId: uuidv7() }),
    review: verdict.review,
    followers: followersFor(caller, followedEvents),
    origin: caller.via,
    sentBy: caller.member?.personId,
  };
  return { message, checked };
}

/** @param freeMilli what is free now. */
export function outcomeOf(
  { request, time }: TimedRequest,
  { message: { messageId }, checked }: CheckedMessage,
  freeMilli: number,
): SendOutcome {
  const { warnings, review } = checked.verdict;
  const kind = time === undefined ? "sent" : "scheduled";
  const nextTimes = time?.repeat && listNextTimes(time.repeat, time);
  const units = unitDetailsOf(request, checked, freeMilli);
  return { kind, messageId, units, warnings, ...waitsFor(review), ...(nextTimes && { nextTimes }) };
}

/** What another message gives back for this one: it counts as free, and is given back when the account is locked, just before the units are held. */
type Before = { taken?: Taken; giveBack?: () => Promise<void> };

/** @throws AppError `VALIDATION` for a repeat that has no time before its end. */
export function readSendTime({ sendAt, timeZone, repeat }: TimedInput["time"]): SendTime {
  const asked = new Date(sendAt);
  if (repeat === undefined) return { sendAt: asked, timeZone };
  const anchored = anchorRepeat(repeat, asked, timeZone);
  const [first] = listRepeatTimes(anchored, timeZone, asked, 1);
  if (first === undefined) throw fieldError("repeat", "ends before the first time");
  return { sendAt: first, timeZone, repeat: anchored };
}

/** @throws AppError `VALIDATION` for a time that has passed, or that ends before the message begins. */
export function readValidUntil(
  deps: Pick<Deps, "clock">,
  { validUntil }: Pick<PricedRequest, "validUntil">,
  time: SendTime | undefined,
): Date | undefined {
  if (validUntil === undefined) return undefined;
  const end = new Date(validUntil);
  if (time?.repeat !== undefined) throw fieldError("validUntil", "cannot be given together with repeat");
  if (end <= deps.clock.now()) throw fieldError("validUntil", "must be in the future");
  if (time !== undefined && end <= time.sendAt) throw fieldError("validUntil", "must be after sendAt");
  return end;
}
