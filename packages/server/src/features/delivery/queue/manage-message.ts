import { v7 as uuidv7 } from "uuid";
import { releaseHolds } from "../../../ledger/index.ts";
import type { Tx } from "../../../db/transaction.ts";
import { AppError } from "../../../base/errors.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import {
  cancelBatches,
  hideMessageRow,
  holdBatches,
  lockBatches,
  lockMessage,
  moveToCancelled,
  notifyWorkers,
  readyBatches,
  updateListedId,
  updateMessageState,
  type LockedMessage,
  type MessageKey,
  takeTurns,
} from "./message-store.ts";
import { testTurn } from "./queue-message.ts";
import { messageStateName, messageStateNumbers } from "../states.ts";
type Key = MessageKey;

/**
 * Pauses a message: recipients that no worker has handed over yet wait, within 2 s. A carrier still sends to those that it has already.
 * Pausing a paused message changes nothing.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is scheduled, cancelled or done.
 */
export async function pauseMessage(tx: Tx, key: Key, now: Date): Promise<void> {
  const message = await getLocked(tx, key);
  const state = messageStateName(message.state, message.waiting);
  if (state === "paused") return;
  if (state !== "sending") throw conflict(state);
  await updateMessageState(tx, key, messageStateNumbers.paused, now);
  await holdBatches(tx, key);
}

/**
 * Ends a pause: the message goes on at the place that the customer has in the queue now. Resuming a sending message changes nothing.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is scheduled, cancelled or done.
 */
export async function resumeMessage(tx: Tx, key: Key, now: Date): Promise<void> {
  const message = await getLocked(tx, key);
  const state = messageStateName(message.state, message.waiting);
  if (state === "sending") return;
  if (state !== "paused") throw conflict(state);
  await startBatches(tx, key, message, now);
}

/** Puts the held batches of a locked message into the queue, when the message is resumed or its time has come. */
export async function startBatches(tx: Tx, key: Key, message: LockedMessage, now: Date): Promise<void> {
  // Every transaction locks batches first, then the turn, then the account: a flush that holds batches and a send that holds its
  // turn both wait for the account.
  await lockBatches(tx, key);
  const firstTurn = message.isTest
    ? testTurn(now)
    : await takeTurns(tx, {
        userId: key.userId,
        isExpress: message.recipientCount <= deliveryLimits.expressRecipientsMax,
        cost: message.waiting * message.pageCount,
      });
  await updateMessageState(tx, key, messageStateNumbers.sending, now);
  await readyBatches(tx, key, { firstTurn, pageCount: message.pageCount });
  await notifyWorkers(tx);
}

/**
 * Cancels the recipients that are not handed over and releases their units: at once where no worker has leased the batch, within 2 s elsewhere.
 * Cancelling a cancelled message changes nothing.
 *
 * @param tx locks the customer's account; do nothing that locks after it.
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is done.
 */
export async function cancelMessage(tx: Tx, key: Key, now: Date): Promise<void> {
  const message = await getLocked(tx, key);
  const state = messageStateName(message.state, message.waiting);
  if (state === "cancelled") return;
  if (state === "done") throw conflict(state);
  await giveUpMessage(tx, key, message, now);
}

/** Cancels a locked message; see `cancelMessage`. */
export async function giveUpMessage(tx: Tx, key: Key, message: LockedMessage, now: Date): Promise<void> {
  if (message.state === messageStateNumbers.scheduled) await updateListedId(tx, key, uuidv7());
  await updateMessageState(tx, key, messageStateNumbers.cancelled, now);
  const { cancelled, mergedPages } = await cancelBatches(tx, key, message.followers);
  if (cancelled === 0) return;
  await moveToCancelled(tx, key, cancelled);
  if (message.holdId === null) return;
  const amountMilli = priceOfRecipients(message, cancelled, mergedPages);
  await releaseHolds(tx, [{ userId: key.userId, holdId: message.holdId, amountMilli }]);
}

/**
 * Takes a message out of the customer's lists. The record and the charge stay, and what waits is still sent.
 *
 * @throws AppError `NOT_FOUND`, also when it is hidden already; `STATE_CONFLICT` when it is scheduled: cancel it first, or
 *   its units would stay held for something that nobody sees.
 */
export async function hideMessage(tx: Tx, key: Key, now: Date): Promise<void> {
  const message = await getLocked(tx, key);
  if (message.state === messageStateNumbers.scheduled) throw conflict("scheduled");
  if (message.state === messageStateNumbers.held) throw conflict("held");
  if (message.state === messageStateNumbers.review) throw conflict("review");
  await hideMessageRow(tx, key, now);
}

/** @param mergedPages what the recipients pay together, looked at when the message's texts differ. @returns thousandths of a unit. */
export function priceOfRecipients(
  { priceMilli, pageCount, isMerged }: Pick<LockedMessage, "priceMilli" | "pageCount" | "isMerged">,
  recipients: number,
  mergedPages: number,
): number {
  // The price of a message is that of its longest text: rate x pages, without a remainder.
  return isMerged ? (priceMilli / pageCount) * mergedPages : priceMilli * recipients;
}

/** @throws AppError `NOT_FOUND`. */
export async function getLocked(tx: Tx, key: Key): Promise<LockedMessage> {
  const message = await lockMessage(tx, key);
  if (message === undefined) throw new AppError("NOT_FOUND");
  return message;
}

export function conflict(state: string): AppError {
  return new AppError("STATE_CONFLICT", { message: `This message is ${state} already`, extra: { state } });
}
