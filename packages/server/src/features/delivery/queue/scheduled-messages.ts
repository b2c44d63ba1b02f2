/**
 * A message that waits for its time: changed, moved, deleted.
 *
 * scheduled -> scheduled (edited) -> sending (start-due-messages.ts) | cancelled | deleted (cancelled and hidden).
 * Every move locks the message's row first, so that it either happens before the start or finds it started.
 */
import assert from "node:assert/strict";
import type { AnchoredRepeat, MessageClass, ProgramKeyMode } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { AppError } from "../../../base/errors.ts";
import { readPersonal, type MessageNumbers } from "../lists/list-recipients.ts";
import { conflict, getLocked, giveUpMessage, priceOfRecipients } from "./manage-message.ts";
import { hideMessageRow, putInReview, type EditReview, type LockedMessage, type MessageKey } from "./message-store.ts";
import { countRecipients, kindOfTexts, writeBatches, type QueueMessageInput } from "./queue-message.ts";
import {
  selectNumberText,
  sumWaitingPages,
  updateHoldId,
  updateRepeat,
  updateScheduled,
  updateSendAt,
  updateValidUntil,
} from "./scheduled-store.ts";
import { messageStateName, messageStateNumbers } from "../states.ts";

type Key = MessageKey;

export type ScheduledMessage = {
  userName: string;
  senderName: string;
  body: string;
  code: string;
  sendAt: Date;
  timeZone: string;
  /** How many numbers are listed, and how many of them will be sent to. */
  recipientCount: number;
  waitingCount: number;
  optedOutCount: number;
  pageCount: number;
  priceMilli: number;
  holdId: string | undefined;
  /** What is held for all that will be sent to. */
  heldMilli: number;
  mode: ProgramKeyMode;
  isMerged: boolean;
  hasOptOutLink: boolean;
  class: MessageClass;
  reachesDnd: boolean;
  repeat: AnchoredRepeat | undefined;
  validUntil: Date | undefined;
  reference: string | undefined;
};

/**
 * Locks a scheduled message, so that it neither starts nor changes until the transaction ends.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it has started, is about to (its time has come), or was cancelled.
 */
export async function lockScheduledMessage(tx: Tx, key: Key): Promise<ScheduledMessage> {
  const message = await getScheduled(tx, key);
  if (message.isDue || message.sendAt === null || message.timeZone === null) {
    throw new AppError("STATE_CONFLICT", {
      message: "This message is about to be sent",
      extra: { state: "scheduled" },
    });
  }
  return await readScheduled(tx, key, message);
}

/**
 * As `lockScheduledMessage`, of one whose time has come.
 *
 * @throws AppError as `lockScheduledMessage`; `STATE_CONFLICT` when its time has not come.
 */
export async function lockDueMessage(tx: Tx, key: Key): Promise<ScheduledMessage> {
  const message = await getScheduled(tx, key);
  if (!message.isDue) throw conflict("scheduled");
  return await readScheduled(tx, key, message);
}

async function readScheduled(tx: Tx, key: Key, message: LockedMessage): Promise<ScheduledMessage> {
  assert(message.sendAt !== null && message.timeZone !== null, "a scheduled message has a time");
  return {
    userName: message.userName,
    senderName: message.senderName,
    body: message.body,
    code: message.code,
    sendAt: message.sendAt,
    timeZone: message.timeZone,
    recipientCount: message.recipientCount,
    waitingCount: message.waiting,
    optedOutCount: message.optedOutCount,
    pageCount: message.pageCount,
    priceMilli: message.priceMilli,
    holdId: message.holdId ?? undefined,
    heldMilli: priceOfRecipients(message, message.waiting, message.isMerged ? await sumWaitingPages(tx, key) : 0),
    mode: message.isTest ? "test" : "live",
    isMerged: message.isMerged,
    hasOptOutLink: message.hasOptOutLink,
    class: message.isTransactional ? "transactional" : "promotional",
    reachesDnd: message.reachesDnd,
    repeat: message.repeat ?? undefined,
    validUntil: message.validUntil ?? undefined,
    reference: message.reference ?? undefined,
  };
}

/** Moves a locked scheduled message to another time; its price and its units stay. */
export async function moveScheduledMessage(tx: Tx, key: Key, time: { sendAt: Date; timeZone: string }): Promise<void> {
  await updateSendAt(tx, key, time);
}

/** Changes how a locked scheduled message repeats; undefined ends that. */
export async function repeatScheduledMessage(tx: Tx, key: Key, repeat: AnchoredRepeat | undefined): Promise<void> {
  await updateRepeat(tx, key, repeat);
}

/** Changes when a locked scheduled message ends; undefined: never. */
export async function endScheduledMessage(tx: Tx, key: Key, validUntil: Date | undefined): Promise<void> {
  await updateValidUntil(tx, key, validUntil);
}

/** Names the hold of what a locked scheduled message will cost; undefined where nothing is held. The caller moves the units. */
export async function nameHold(tx: Tx, key: Key, holdId: string | undefined): Promise<void> {
  await updateHoldId(tx, key, holdId);
}

/** Gives a locked scheduled message other contents. The caller moves the holds, in the same transaction. */
export async function replaceScheduledMessage(
  tx: Tx,
  input: QueueMessageInput & { sendAt: Date; timeZone: string },
  review?: EditReview,
): Promise<void> {
  await updateScheduled(tx, {
    ...input,
    ...countRecipients(input),
    ...kindOfTexts(input),
    isTest: input.isTest === true,
    isTransactional: input.class === "transactional",
    reachesDnd: input.reachesDnd === true,
  });
  await writeBatches(tx, input, 0);
  if (review !== undefined) await putInReview(tx, input, review);
}

/** As `readMessageNumbers`, with what is known of each when the message is merged. */
export async function readMessageSource(
  db: Queryable,
  key: Key,
  { isMerged, recipientCount }: Pick<ScheduledMessage, "isMerged" | "recipientCount">,
): Promise<MessageNumbers> {
  const phoneNo = await selectNumberText(db, key);
  const positions = Array.from({ length: recipientCount }, (_, position) => position);
  return { phoneNo, personal: isMerged ? await readPersonal(db, key, positions) : undefined };
}

/** All numbers of a message, in the order they were given, comma-separated; empty when there is no such message. */
export async function readMessageNumbers(db: Queryable, key: Key): Promise<string> {
  return await selectNumberText(db, key);
}

/**
 * Deletes a scheduled message and releases its units. The record stays, hidden.
 *
 * @param tx locks the customer's account; do nothing that locks after it.
 * @throws AppError `NOT_FOUND`, also when it is deleted already; `STATE_CONFLICT` when it has started or was cancelled.
 */
export async function deleteScheduledMessage(tx: Tx, key: Key, now: Date): Promise<void> {
  const message = await getScheduled(tx, key);
  await hideMessageRow(tx, key, now);
  await giveUpMessage(tx, key, message, now);
}

async function getScheduled(tx: Tx, key: Key): Promise<LockedMessage> {
  const message = await getLocked(tx, key);
  if (message.state !== messageStateNumbers.scheduled) throw conflict(messageStateName(message.state, message.waiting));
  return message;
}
