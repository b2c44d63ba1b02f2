/**
 * A message that waits for its time: changed, moved, deleted.
 *
 * scheduled -> scheduled (edited) -> sending (start-due-messages.ts) | cancelled | deleted (cancelled and hidden).
 * Every move locks the message's row first, so that it either happens before the start or finds it started.
 */
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { AppError } from "../../../base/errors.ts";
import { conflict, getLocked, giveUpMessage } from "./manage-message.ts";
import { hideMessageRow, type LockedMessage } from "./message-store.ts";
import { countRecipients, writeBatches, type QueueMessageInput } from "./queue-message.ts";
import { selectNumberText, updateScheduled, updateSendAt } from "./scheduled-store.ts";
import { messageStateName, messageStateNumbers } from "../states.ts";

type Key = { userId: string; messageId: string };

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
  pageCount: number;
  priceMilli: number;
  holdId: string | undefined;
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
  return {
    userName: message.userName,
    senderName: message.senderName,
    body: message.body,
    code: message.code,
    sendAt: message.sendAt,
    timeZone: message.timeZone,
    recipientCount: message.recipientCount,
    waitingCount: message.waiting,
    pageCount: message.pageCount,
    priceMilli: message.priceMilli,
    holdId: message.holdId ?? undefined,
  };
}

/** Moves a locked scheduled message to another time; its price and its units stay. */
export async function moveScheduledMessage(tx: Tx, key: Key, time: { sendAt: Date; timeZone: string }): Promise<void> {
  await updateSendAt(tx, key, time);
}

/** Gives a locked scheduled message other contents. The caller moves the holds, in the same transaction. */
export async function replaceScheduledMessage(
  tx: Tx,
  input: QueueMessageInput & { sendAt: Date; timeZone: string },
): Promise<void> {
  await updateScheduled(tx, { ...input, ...countRecipients(input) });
  await writeBatches(tx, input, 0);
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
