/**
 * A send, from the body of its request to the queue: now, or held until its time. The way of `POST send-bulk-sms`, file by file:
 *
 *   send-routes.ts           contract, guards, one call
 *   send.ts                  here: reads, waits for its turn, checks, queues, holds the units, all of it in one transaction
 *   http/bounds/body-reader  reads a large body in a thread, so that the web server answers others meanwhile
 *   read-body/read-send.ts   what the bytes mean: a text and its distinct numbers
 *   db/idempotency.ts        a repeated request gets its first answer
 *   check-send.ts            the checks in the specified order; it asks limits/ and whitelists/
 *   delivery/queue-message   the message and its batches, and under it the store that writes the rows
 *   present-send.ts          on the way back: status and JSON of the outcome
 */
import { anchorRepeat, keysOfPattern, listRepeatTimes, readPattern, type ProgramKeyMode } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { doOnce } from "../../../db/idempotency.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { messageInReview, messageScheduled, messageSent, publishChange } from "../../../events/index.ts";
import { BodyReader, INLINE_BYTES_MAX } from "../../../http/bounds/body-reader.ts";
import { Gate } from "../../../http/bounds/gate.ts";
import { holdUnits, readBalance } from "../../../ledger/index.ts";
import { readCatalogNumbers } from "../../contacts/index.ts";
import { queueMessage, type Message, type QueueMessageInput } from "../../delivery/index.ts";
import { createRateReader } from "../../rates/index.ts";
import { countTowardsDailyLimit } from "../limits/daily-limit.ts";
import {
  bodyTasks,
  bodyTasksUrl,
  choicesOf,
  refuseUnknownKeys,
  type ProgramInput,
  type SendChoices,
  type SendInput,
  type SendRequest,
  type TimedInput,
} from "../read-body/read-send.ts";
import type { PersonalValues } from "../read-body/merge-texts.ts";
import { getTemplate } from "../templates/templates.ts";
import {
  checkSend,
  checkSendAt,
  isTest,
  contentsOf,
  unitDetailsOf,
  type Caller,
  type CheckedMessage,
  type CheckOptions,
  type SendTime,
  type Taken,
} from "./check-send.ts";
import { listNextTimes } from "../present-message.ts";
import { mergeTexts, type PricedRequest } from "./merge-send.ts";
import { followersFor, tellAccepted } from "./tell-accepted.ts";
import { keptSends, type SendOutcome, type TriedSend } from "./present-send.ts";

/** Together these leave two of the ten connections to everybody who does not send. */
const SMALL_SENDS = { placesMax: 6, waitingMax: 2_000 };
/** Each works for seconds, and each that waits holds up to 20 MB. */
const LARGE_SENDS = { placesMax: 2, waitingMax: 8 };

/** Digits of a number and a comma. */
export const BYTES_PER_NUMBER = 14;

export type SendDeps = Deps & {
  bodies: BodyReader<typeof bodyTasks>;
  /** Does the work in a transaction when its turn has come; `byteLength` of the numbers says whose turn that is. */
  inTurn: <Result>(byteLength: number, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
};

/** What all calls that may carry a million numbers share in one process. The owner closes `bodies`. */
export function createSendDeps(deps: Deps): SendDeps {
  const bodies = new BodyReader(createRateReader(deps), bodyTasks, bodyTasksUrl);
  const gates = { small: new Gate(SMALL_SENDS), large: new Gate(LARGE_SENDS) };
  const inTurn: SendDeps["inTurn"] = async (byteLength, work) => {
    const gate = byteLength > INLINE_BYTES_MAX ? gates.large : gates.small;
    return await gate.run(() => withTransaction(deps.db, work));
  };
  return { ...deps, bodies, inTurn };
}

/** The bytes of a call's JSON, and its `Idempotency-Key`. */
export type SendBytes = { bytes: Buffer; key: string | undefined };

/**
 * Sends at once, for the dashboard.
 *
 * @throws AppError `VALIDATION`, `IDEMPOTENCY_CONFLICT`, then the first check that fails.
 */
export async function sendNow(deps: SendDeps, caller: Caller, request: SendBytes): Promise<SendOutcome | TriedSend> {
  return await sendBody(deps, caller, "send-json", "send-bulk-sms", request);
}

/** As `sendNow`, for programs, which may name a time: then the units are held until it comes. */
export async function sendForProgram(
  deps: SendDeps,
  caller: Caller,
  request: SendBytes,
): Promise<SendOutcome | TriedSend> {
  return await sendBody(deps, caller, "program-json", "send-bulk-sms", request);
}

/** As `sendNow`, for the dashboard's schedule form, which names a time. */
export async function scheduleSend(
  deps: SendDeps,
  caller: Caller,
  request: SendBytes,
): Promise<SendOutcome | TriedSend> {
  return await sendBody(deps, caller, "schedule-json", "schedule-sms", request);
}

async function sendBody(
  deps: SendDeps,
  caller: Caller,
  task: "send-json" | "program-json" | "schedule-json",
  scope: SendKey["scope"],
  { bytes, key }: SendBytes,
): Promise<SendOutcome | TriedSend> {
  // Reading moves the bytes of a large body to a thread; their length is gone afterwards.
  const { byteLength } = bytes;
  const input: SendInput & { time?: TimedInput["time"] } =
    task === "program-json"
      ? await readProgramSend(deps, caller, bytes)
      : await deps.bodies.read(task, bytes, byteLength);
  const time = input.time && readSendTime(input.time);
  const send = await resolveSend(deps, caller.userId, input, byteLength);
  return await deps.inTurn(send.byteLength, async (tx) => {
    // It changes nothing, so that its key is free for the send itself.
    if (input.dryRun === true) return await trySend(deps, tx, caller, send.getRequest(), time);
    const once = { userId: caller.userId, mode: caller.mode, scope, key, fingerprint: send.fingerprint };
    return await sendOnce(tx, once, () => sendMessage(deps, tx, caller, send.getRequest(), time));
  });
}

/** The text of a template is looked up first; few bodies name one. */
async function readProgramSend(deps: SendDeps, { userId, mode }: Caller, bytes: Buffer): Promise<ProgramInput> {
  const { byteLength } = bytes;
  if (!bytes.includes('"templateId"')) return await deps.bodies.read("program-json", { bytes, mode }, byteLength);
  const { templateId } = await deps.bodies.read("template-id", Buffer.from(bytes), byteLength);
  const template = templateId === undefined ? undefined : (await getTemplate(deps.db, { userId, templateId })).message;
  return await deps.bodies.read("program-json", { bytes, template, mode }, byteLength);
}

export type ResolvedSend = {
  fingerprint: Uint8Array;
  /** Of the numbers as text. */
  byteLength: number;
  /**
   * Called inside the keyed work, so that a repeated request gets its first outcome also when the catalog is gone by now.
   *
   * @throws AppError `NOT_FOUND` for a catalog that the customer does not have, `VALIDATION` for an empty one.
   */
  getRequest: () => PricedRequest;
};

/** Replaces a catalog by its numbers, as they are at this moment, and makes the texts where they differ. */
export async function resolveSend(
  deps: SendDeps,
  userId: string,
  input: SendInput,
  byteLength: number,
): Promise<ResolvedSend> {
  const { fingerprint } = input;
  try {
    const { request, numberBytes } = await readRequest(deps, userId, input, byteLength);
    const priced = await mergeTexts(deps, request);
    return { fingerprint, byteLength: numberBytes, getRequest: () => priced };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refuse = (): never => {
      throw error;
    };
    return { fingerprint, byteLength: 0, getRequest: refuse };
  }
}

async function readRequest(
  deps: SendDeps,
  userId: string,
  input: SendInput,
  byteLength: number,
): Promise<{ request: SendRequest; numberBytes: number }> {
  if (!("catalogId" in input)) return { request: input, numberBytes: byteLength };
  const { senderName, message, catalogId, onMissing, optOutLink, validUntil, reference } = input;
  const { phoneNo, code, personal } = await readCatalogSource(deps.db, { userId, catalogId }, message);
  const fields = { senderName, message, code: input.code ?? code, phoneNo, knownKeys: personal?.keys };
  const request = await deps.bodies.read("send-fields", fields, phoneNo.length);
  return {
    request: { ...request, personal, onMissing, optOutLink, validUntil, reference, ...choicesOf(input) },
    numberBytes: phoneNo.length,
  };
}

export type CatalogSource = { phoneNo: string; code: string; personal: PersonalValues | undefined };

/**
 * A catalog as the source of a send: all its numbers in its order, comma-separated (14 MB for 1,000,000), and what is known of them for
 * the fields that the text names.
 *
 * @throws AppError `NOT_FOUND` for a catalog that the customer does not have, `VALIDATION` for an empty one and for a field that is none
 * of its columns.
 */
export async function readCatalogSource(
  db: Queryable,
  key: { userId: string; catalogId: string },
  message: string,
): Promise<CatalogSource> {
  const asked = keysOfPattern(readPattern(message));
  const { numbers, code, columns, rows } = await readCatalogNumbers(db, key, asked);
  if (numbers.length === 0) throw fieldError("catalogId", "has no contacts");
  refuseUnknownKeys(
    message,
    columns.map((column) => column.key),
  );
  return { phoneNo: numbers.join(","), code, personal: rows && { keys: asked, rows } };
}

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
  await before.giveBack?.();
  const amountMilli = message.holdId === undefined ? 0 : checked.price.chargeMilli;
  const { freeMilli } =
    amountMilli > 0
      ? (await holdUnits(tx, { userId, holdId: messageId, amountMilli })).balance
      : await readBalance(tx, userId);
  await publishSent(tx, userId, [message]);
  const outcome = outcomeOf({ request, time }, { message, checked }, freeMilli);
  await tellAccepted(tx, [{ message, checked }], [outcome]);
  return outcome;
}

/** Tells the open pages of messages that were queued. */
export async function publishSent(tx: Tx, userId: string, messages: readonly QueueMessageInput[]): Promise<void> {
  if (messages.some(({ sendAt }) => sendAt === undefined)) await publishChange(tx, messageSent(userId));
  if (messages.some(({ sendAt }) => sendAt !== undefined)) await publishChange(tx, messageScheduled(userId));
  if (messages.some(({ review }) => review !== undefined)) await publishChange(tx, messageInReview());
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
  const messageId = time === undefined ? uuidv7() : uuidv7({ msecs: time.sendAt.getTime() });
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
  return { kind, messageId, units, warnings, isInReview: review !== undefined, ...(nextTimes && { nextTimes }) };
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

/**
 * Says what would become of a send at this moment, and changes nothing.
 *
 * @throws AppError as `sendMessage`.
 */
async function trySend(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  request: PricedRequest,
  time: SendTime | undefined,
): Promise<TriedSend> {
  if (time !== undefined) checkSendAt(deps, time.sendAt);
  readValidUntil(deps, request, time);
  const checked = await checkSend(deps, tx, caller, request, { leavesAt: time?.sendAt });
  const { price, verdict } = checked;
  const { freeMilli } = await readBalance(tx, caller.userId);
  const units = unitDetailsOf(request, checked, isTest(caller) ? freeMilli : freeMilli - price.chargeMilli);
  const nextTimes = time?.repeat && listNextTimes(time.repeat, time);
  const isInReview = verdict.review !== undefined;
  return { kind: "tried", units, warnings: verdict.warnings, isInReview, ...(nextTimes && { nextTimes }) };
}

/** How a message was sent, to send the same again. */
export function choicesOfMessage(message: Pick<Message, "class" | "reachesDnd">): SendChoices {
  if (message.class === "promotional") return { class: "promotional" };
  return { class: "transactional", dnd: message.reachesDnd ? "send" : "skip" };
}
