/**
 * A send, from the body of its request to the queue: now, or held until its time. The way of `POST send-bulk-sms`, file by file:
 *
 *   send-routes.ts           contract, guards, one call
 *   send.ts                  here: reads, and waits for its turn
 *   http/bounds/body-reader  reads a large body in a thread, so that the web server answers others meanwhile
 *   read-body/read-send.ts   what the bytes mean: a text and its distinct numbers
 *   send-together.ts         small sends of a program, written together with others that wait
 *   send-message.ts          checks, queues, holds the units, all of it in one transaction
 *   db/idempotency.ts        a repeated request gets its first answer
 *   check-send.ts            the checks in the specified order; it asks limits/ and whitelists/
 *   delivery/queue-message   the message and its batches, and under it the store that writes the rows
 *   present-send.ts          on the way back: status and JSON of the outcome
 */
import { keysOfPattern, readPattern } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { BodyReader, INLINE_BYTES_MAX } from "../../../http/bounds/body-reader.ts";
import { Gate } from "../../../http/bounds/gate.ts";
import { readBalance } from "../../../ledger/index.ts";
import { readCatalogNumbers } from "../../contacts/index.ts";
import type { Message } from "../../delivery/index.ts";
import { createRateReader } from "../../rates/index.ts";
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
import { checkSend, checkSendAt, isTest, unitDetailsOf, type Caller, type SendTime } from "./check-send.ts";
import { listNextTimes } from "../present-message.ts";
import { mergeTexts, type PricedRequest } from "./merge-send.ts";
import { type SendOutcome, type TriedSend, waitsFor } from "./present-send.ts";
import { readSendTime, readValidUntil, sendMessage, sendOnce, type SendKey } from "./send-message.ts";
import { createSendTogether, type SendTogether } from "./send-together.ts";

/** Together these leave two of the ten connections to everybody who does not send. */
const SMALL_SENDS = { placesMax: 6, waitingMax: 2_000 };
/** Each works for seconds, and each that waits holds up to 20 MB. */
const LARGE_SENDS = { placesMax: 2, waitingMax: 8 };

/** Sends to no more than these are written together with others: 100 of them are 5,000 numbers at most. */
const FEW_RECIPIENTS = 50;

/** Digits of a number and a comma. */
export const BYTES_PER_NUMBER = 14;

export type SendDeps = Deps & {
  bodies: BodyReader<typeof bodyTasks>;
  /** Does the work in a transaction when its turn has come; `byteLength` of the numbers says whose turn that is. */
  inTurn: <Result>(byteLength: number, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Sends of programs to a few numbers each. */
  sendTogether: SendTogether;
};

/** What all calls that may carry a million numbers share in one process. The owner closes `bodies`. */
export function createSendDeps(deps: Deps): SendDeps {
  const bodies = new BodyReader(createRateReader(deps), bodyTasks, bodyTasksUrl);
  const gates = { small: new Gate(SMALL_SENDS), large: new Gate(LARGE_SENDS) };
  const inTurn: SendDeps["inTurn"] = async (byteLength, work) => {
    const gate = byteLength > INLINE_BYTES_MAX ? gates.large : gates.small;
    return await gate.run(() => withTransaction(deps.db, work));
  };
  const sendTogether = createSendTogether(deps, async (work) => await gates.small.run(work));
  return { ...deps, bodies, inTurn, sendTogether };
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
  const keyed: SendKey = { userId: caller.userId, mode: caller.mode, scope, key, fingerprint: send.fingerprint };
  const isAlone = input.dryRun === true || caller.via !== "program" || isTest(caller);
  const few = isAlone ? undefined : send.findFew();
  if (few !== undefined) {
    const alone = async (tx: Tx): Promise<SendOutcome> =>
      await sendOnce(tx, keyed, () => sendMessage(deps, tx, caller, few, time));
    return await deps.sendTogether({ caller, keyed, request: few, time, alone });
  }
  return await deps.inTurn(send.byteLength, async (tx) => {
    // It changes nothing, so that its key is free for the send itself.
    if (input.dryRun === true) return await trySend(deps, tx, caller, send.getRequest(), time);
    return await sendOnce(tx, keyed, () => sendMessage(deps, tx, caller, send.getRequest(), time));
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
  /** The same where it goes to a few numbers that nobody found wrong; undefined for all else. */
  findFew: () => PricedRequest | undefined;
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
    const findFew = () => (priced.recipients.valid.length <= FEW_RECIPIENTS ? priced : undefined);
    return { fingerprint, byteLength: numberBytes, getRequest: () => priced, findFew };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refuse = (): never => {
      throw error;
    };
    return { fingerprint, byteLength: 0, getRequest: refuse, findFew: () => undefined };
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
  const { warnings, review } = verdict;
  return { kind: "tried", units, warnings, ...waitsFor(review), ...(nextTimes && { nextTimes }) };
}

/** How a message was sent, to send the same again. */
export function choicesOfMessage(message: Pick<Message, "class" | "reachesDnd">): SendChoices {
  if (message.class === "promotional") return { class: "promotional" };
  return { class: "transactional", dnd: message.reachesDnd ? "send" : "skip" };
}
