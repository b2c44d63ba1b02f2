import assert from "node:assert/strict";
import type { AnchoredRepeat, MessageClass } from "@ewebal/contract";
import { afterCommit, type Tx } from "../../../db/transaction.ts";
import { countAccepted } from "../figures/figures.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { batchStates, messageStateNumbers } from "../states.ts";
import { giveCodes } from "../links/give-codes.ts";
import { followersOf, type Follower } from "../feed/followers.ts";
import { tellSkipped } from "../feed/report-feed.ts";
import { writeLane } from "./lanes.ts";
import { mergeValuesOf, type MergeInput } from "../merged/merge-values.ts";
import {
  insertBatches,
  insertMessage,
  insertMessages,
  notifyWorkers,
  readServedTurn,
  type NewBatch,
  type NewMessage,
  takeTurns,
} from "./message-store.ts";
export type QueueMessageInput = {
  userId: string;
  /** A UUIDv7 that the caller makes: its time decides the partition, and lists are in the order of these ids. */
  messageId: string;
  userName: string;
  senderName: string;
  body: string;
  /** What the phones get where `body` only shows that there is a code; see `sealed-body.ts`. */
  sealedBody?: Buffer | undefined;
  /** The dialling code that every number begins with, digits only. */
  code: string;
  /** Distinct numbers with country code, in the order to be shown; 1 to 1,000,000, those of `dndPhoneNos` included. */
  phoneNos: ArrayLike<number>;
  /** Listed numbers that are not sent to and not charged. */
  dndPhoneNos?: ReadonlySet<number>;
  /** Those that want no more messages from this customer: neither sent to nor charged. None of them is among `dndPhoneNos`. */
  optedOutPhoneNos?: ReadonlySet<number>;
  /** The one answer to an opt-out: it goes to somebody who opted out, takes no turn of the customer's, and is in none of the customer's lists. */
  isOptOutAnswer?: boolean;
  /** Of a test key: it goes to the carrier of tests, and is in none of the customer's lists and counts. Nothing is held for it. */
  isTest?: boolean;
  /** Promotional when absent. */
  class?: MessageClass;
  /** A transactional message goes to do-not-disturb numbers as well. */
  reachesDnd?: boolean;
  /** Those that are sent to, by carriers that reach them; none of them is among `dndPhoneNos`. */
  reachedDndPhoneNos?: ReadonlySet<number>;
  /** It is held, as what it is accepted as, until an approver of the account and an administrator (where there is a note) release it. */
  review?: { note: string | undefined; awaitsApproval: boolean } | undefined;
  /** The member who sends it; undefined for the account's own user and for keys. */
  sentBy?: string | undefined;
  /** Answers somebody, so that it waits for no quiet hours. */
  isAnswer?: boolean;
  pageCount: number;
  /** The price of one recipient, in thousandths of a unit; of a merged message that of its longest text. */
  priceMilli: number;
  /** What the texts of a message whose texts differ are made of, and how many pages each recipient pays. */
  merge?: MergeInput | undefined;
  /** The open hold of what all that are listed and not DND pay; undefined when nothing is charged. */
  holdId: string | undefined;
  createdAt: Date;
  /** The message is not sent before this time. Without it, the message is sent now. */
  sendAt?: Date;
  timeZone?: string;
  /** Who is not handed over by then gets nothing; after `sendAt`. */
  validUntil?: Date | undefined;
  /** Of one that waits for its time: after it the message waits for the next. */
  repeat?: AnchoredRepeat | undefined;
  /** Who is told what becomes of its recipients; see report-feed.ts. */
  followers?: readonly Follower[] | undefined;
  /** How it came in: a word of `Caller.via`. */
  origin?: string;
  /** A UUIDv7 by which the message is listed until it starts; needed where the message's own id is of another time than `createdAt`. */
  listedId?: string;
  /** What the program that sends it calls it. */
  reference?: string | undefined;
};

/**
 * Writes a message and its batches, so that workers send it once the transaction has committed.
 *
 * @param tx the transaction that holds the units.
 * @returns how many recipients will be sent to.
 */
export async function queueMessage(tx: Tx, input: QueueMessageInput): Promise<{ waitingCount: number }> {
  const counts = countRecipients(input);
  const isHeld = isHeldBack(input);
  const cost = counts.waitingCount * input.pageCount;
  // A scheduled message takes its turn when it is due. Until then it must not stand before others.
  const firstTurn = isHeld
    ? 0
    : input.isTest === true
      ? testTurn(input.createdAt)
      : input.isOptOutAnswer === true
        ? // A turn of the customer's may be locked for as long as a large send of theirs is written.
          await readServedTurn(tx, isExpress(input))
        : await takeTurns(tx, { userId: input.userId, isExpress: isExpress(input), cost });

  await insertMessage(tx, newMessageOf(input, counts));
  await writeBatches(tx, input, firstTurn);
  if (!isHeld) await tellSkipped(tx, input.userId, [begunAs(input, counts)]);
  if (!isHeld && counts.waitingCount > 0) await notifyWorkers(tx);
  countWhenCommitted(tx, [input]);
  return { waitingCount: counts.waitingCount };
}

/**
 * Writes many small messages of one customer, as `queueMessage` writes each, in a few statements for all of them. Their turns follow each other
 * in the order given.
 *
 * @param inputs each fits into one batch, has no texts to be merged, and is no opt-out's answer.
 */
export async function queueMessages(tx: Tx, userId: string, inputs: readonly QueueMessageInput[]): Promise<void> {
  if (inputs.length === 0) return;
  const messages = inputs.map((input) => {
    assert(input.userId === userId && input.merge === undefined && input.isOptOutAnswer !== true && isExpress(input));
    const counts = countRecipients(input);
    return { input, counts, isHeld: isHeldBack(input), cost: counts.waitingCount * input.pageCount };
  });
  // A call has one key, so all of them are tests or none is.
  const isTest = inputs[0]?.isTest === true;
  const cost = messages.reduce((sum, message) => sum + (message.isHeld ? 0 : message.cost), 0);
  let turn =
    cost === 0 ? 0 : isTest ? testTurn(inputs[0]?.createdAt) : await takeTurns(tx, { userId, isExpress: true, cost });
  await insertMessages(
    tx,
    userId,
    messages.map(({ input, counts }) => newMessageOf(input, counts)),
  );
  const batches = messages.map(({ input, isHeld, cost: own }) => {
    const firstTurn = isHeld ? 0 : turn;
    if (!isHeld) turn += own;
    const cut = { start: 0, end: input.phoneNos.length, batchIndex: 0, isExpress: lineOf(input), firstTurn };
    return { ...buildBatch(input, cut), messageId: input.messageId };
  });
  await insertBatches(tx, userId, batches);
  const begun = messages.flatMap(({ input, counts, isHeld }) => (isHeld ? [] : [begunAs(input, counts)]));
  await tellSkipped(tx, userId, begun);
  if (cost > 0) await notifyWorkers(tx);
  countWhenCommitted(tx, inputs);
}

function countWhenCommitted(tx: Tx, inputs: readonly QueueMessageInput[]): void {
  const live = inputs.filter(({ isTest }) => isTest !== true);
  const byClass = Map.groupBy(live, (input) => input.class ?? "promotional");
  afterCommit(tx, () => {
    for (const [messageClass, own] of byClass) countAccepted(messageClass, own.length);
  });
}

function begunAs({ messageId, followers = [] }: QueueMessageInput, { dndCount, optedOutCount }: RecipientCounts) {
  return { messageId, followers: followersOf(followers), skippedCount: dndCount + optedOutCount };
}

function newMessageOf(input: QueueMessageInput, counts: RecipientCounts): NewMessage {
  return {
    ...input,
    ...counts,
    ...kindOfTexts(input),
    hiddenAt: input.isOptOutAnswer === true || input.isTest === true ? input.createdAt : undefined,
    isTest: input.isTest === true,
    honoursOptOuts: input.isOptOutAnswer !== true,
    isTransactional: input.class === "transactional",
    reachesDnd: input.reachesDnd === true,
    followerBits: followersOf(input.followers ?? []),
    state: input.review === undefined ? acceptedAs(input) : messageStateNumbers.review,
    ...(input.review && {
      heldFrom: acceptedAs(input),
      reviewNote: input.review.note,
      awaitsApproval: input.review.awaitsApproval,
    }),
  };
}

/**
 * Tests take their turns by the clock: a batch of 500 stands half a second behind the one before it, so a large test does not hold up what others
 * try meanwhile.
 */
export function testTurn(now: Date = new Date()): number {
  return now.getTime();
}

/** The line of the queue: null for tests. */
function lineOf(input: Pick<QueueMessageInput, "phoneNos" | "isTest">): boolean | null {
  return input.isTest === true ? null : isExpress(input);
}

/** It takes its turn when it is due, or released. */
function isHeldBack({ sendAt, review }: QueueMessageInput): boolean {
  return sendAt !== undefined || review !== undefined;
}

/** What a message's row says of the texts that its batches make. */
export function kindOfTexts({ merge }: Pick<QueueMessageInput, "merge">): {
  isMerged: boolean;
  hasOptOutLink: boolean;
} {
  return { isMerged: merge !== undefined, hasOptOutLink: merge?.links?.hasOptOutLink === true };
}

function acceptedAs({ sendAt }: QueueMessageInput): number {
  return sendAt === undefined ? messageStateNumbers.sending : messageStateNumbers.scheduled;
}

export type RecipientCounts = {
  recipientCount: number;
  waitingCount: number;
  dndCount: number;
  optedOutCount: number;
};

export function countRecipients(
  input: Pick<QueueMessageInput, "phoneNos" | "dndPhoneNos" | "optedOutPhoneNos" | "priceMilli">,
): RecipientCounts {
  const recipientCount = input.phoneNos.length;
  assert(recipientCount >= 1);
  assert(Number.isSafeInteger(input.priceMilli) && input.priceMilli >= 0);
  const dndCount = countListed(input.phoneNos, input.dndPhoneNos);
  const optedOutCount = countListed(input.phoneNos, input.optedOutPhoneNos);
  return { recipientCount, waitingCount: recipientCount - dndCount - optedOutCount, dndCount, optedOutCount };
}

function isExpress({ phoneNos }: Pick<QueueMessageInput, "phoneNos">): boolean {
  return phoneNos.length <= deliveryLimits.expressRecipientsMax;
}

/** Cuts the numbers into batches. They are ready from `firstTurn` on, or held when the message is scheduled. */
export async function writeBatches(tx: Tx, input: QueueMessageInput, firstTurn: number): Promise<void> {
  const recipientCount = input.phoneNos.length;
  let chunk: NewBatch[] = [];
  for (
    let start = 0, batchIndex = 0;
    start < recipientCount;
    start += deliveryLimits.batchRecipientsMax, batchIndex += 1
  ) {
    const end = Math.min(start + deliveryLimits.batchRecipientsMax, recipientCount);
    chunk.push(buildBatch(input, { start, end, batchIndex, isExpress: lineOf(input), firstTurn }));
    if (chunk.length < deliveryLimits.queuedBatchesPerStatement && end < recipientCount) continue;
    if (input.merge?.links !== undefined) chunk = await giveCodes(tx, input, input.merge.links, chunk);
    const { messageId } = input;
    await insertBatches(
      tx,
      input.userId,
      chunk.map((batch) => ({ ...batch, messageId })),
    );
    chunk = [];
  }
}

type Cut = { start: number; end: number; batchIndex: number; isExpress: boolean | null; firstTurn: number };

function buildBatch(input: QueueMessageInput, cut: Cut): NewBatch {
  const phoneNos: number[] = [];
  const skipped: number[] = [];
  const optedOut: number[] = [];
  const dndOffsets: number[] = [];
  for (let index = cut.start; index < cut.end; index += 1) {
    const phoneNo = input.phoneNos[index] ?? 0;
    assert(Number.isSafeInteger(phoneNo) && phoneNo > 0, "a recipient is a number of digits");
    const hasOptedOut = input.optedOutPhoneNos?.has(phoneNo) === true;
    if (hasOptedOut) optedOut.push(phoneNos.length);
    if (hasOptedOut || input.dndPhoneNos?.has(phoneNo) === true) skipped.push(phoneNos.length);
    else if (input.reachedDndPhoneNos?.has(phoneNo) === true) dndOffsets.push(phoneNos.length);
    phoneNos.push(phoneNo);
  }
  const isEmpty = skipped.length === phoneNos.length;
  const isHeld = isHeldBack(input);
  return {
    batchIndex: cut.batchIndex,
    phoneNos,
    skipped,
    optedOut,
    state: isEmpty ? batchStates.done : isHeld ? batchStates.held : batchStates.ready,
    isExpress: cut.isExpress,
    turn: cut.firstTurn + cut.start * input.pageCount,
    lane: laneOf(input),
    dndOffsets,
    mergeValues: input.merge ? mergeValuesOf(input.merge, cut.start, cut.end) : null,
    pageCounts: input.merge ? Array.from(input.merge.pageCounts.subarray(cut.start, cut.end)) : null,
  };
}

function laneOf({ code, class: messageClass = "promotional", ...input }: QueueMessageInput): number {
  const waitsForHours = input.isAnswer !== true && input.isOptOutAnswer !== true && input.isTest !== true;
  return writeLane({ code, class: messageClass, waitsForHours });
}

function countListed(phoneNos: ArrayLike<number>, listed: ReadonlySet<number> | undefined): number {
  if (listed === undefined || listed.size === 0) return 0;
  let count = 0;
  for (let index = 0; index < phoneNos.length; index += 1) if (listed.has(phoneNos[index] ?? 0)) count += 1;
  return count;
}
