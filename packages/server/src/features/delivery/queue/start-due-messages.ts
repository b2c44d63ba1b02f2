import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { publishChange, scheduledMessageStarted } from "../../../events/index.ts";
import { releaseHolds } from "../../../ledger/index.ts";
import { readDndPrefixes } from "../carriers/carrier-store.ts";
import { countDndNumbers } from "../dnd/dnd-store.ts";
import { giveUpMessage, priceOfRecipients, startBatches } from "./manage-message.ts";
import { lockBatches, lockMessage, updateListedId, type LockedMessage } from "./message-store.ts";
import { selectDueMessages, skipNewlyListed } from "./scheduled-store.ts";
import { tellSkipped } from "../feed/report-feed.ts";
import { messageStateNumbers } from "../states.ts";

/** Sends a message that repeats once more, as a message of its own, and lets it wait for its next time. */
export type SendRepeated = (tx: Tx, key: { userId: string; messageId: string }, now: Date) => Promise<void>;

const DUE_MESSAGES_MAX = 100;

type Key = { userId: string; messageId: string };

/** Whether a message may still be sent under its sender name. Called when its time has come; a test's name needs no approval. */
export type MayStart = (tx: Tx, message: { userId: string; senderName: string }) => Promise<boolean>;

/**
 * Puts scheduled messages whose time has come into the queue: never early (the database's clock decides), never twice (the
 * state moves under the row's lock). Messages of blocked customers wait until the block is lifted. A message that may no longer be sent is
 * cancelled, and its units are released.
 *
 * @returns the messages that were started or cancelled.
 * @throws AggregateError when some messages could not be started. The others were.
 */
export async function startDueMessages(
  db: Db,
  mayStart: MayStart = () => Promise.resolve(true),
  sendRepeated?: SendRepeated,
): Promise<Key[]> {
  const moved: Key[] = [];
  const failures: unknown[] = [];
  for (const { now, ...key } of await selectDueMessages(db, DUE_MESSAGES_MAX)) {
    try {
      if (
        await withTransaction(db, (tx) => startDueMessage(tx, key, now, mayStart, sendRepeated), { repeatable: true })
      )
        moved.push(key);
    } catch (error) {
      // A message that cannot start must not stop the others. The caller gets all errors.
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} scheduled messages could not be started`);
  return moved;
}

/** @returns false when the message was started, deleted, or moved to a later time since it was found. */
export async function startDueMessage(
  tx: Tx,
  key: Key,
  now: Date,
  mayStart: MayStart,
  sendRepeated?: SendRepeated,
): Promise<boolean> {
  const message = await lockMessage(tx, key);
  // The message was found without a lock, so it may have been started, deleted or moved since.
  if (message?.state !== messageStateNumbers.scheduled || !message.isDue) return false;
  if (message.repeat !== null && sendRepeated !== undefined) await sendRepeated(tx, key, now);
  else if (message.isTest || (await mayStart(tx, { userId: key.userId, senderName: message.senderName }))) {
    await start(tx, key, message, now);
  } else {
    await giveUpMessage(tx, key, message, now);
  }
  await publishChange(tx, scheduledMessageStarted(key));
  return true;
}

async function start(tx: Tx, key: Key, message: LockedMessage, now: Date): Promise<void> {
  await updateListedId(tx, key, uuidv7());
  await lockBatches(tx, key);
  // Told before the list is looked at again: that look tells of the recipients that it adds itself.
  await tellSkipped(tx, key.userId, [{ ...key, ...message, skippedCount: message.recipientCount - message.waiting }]);
  const { skipped, mergedPages } =
    (await countDndNumbers(tx, 1)) === 0
      ? { skipped: 0, mergedPages: 0 }
      : await skipNewlyListed(tx, key, message.reachesDnd ? await readDndPrefixes(tx) : [], message.followers);
  await startBatches(tx, key, { ...message, waiting: message.waiting - skipped }, now);
  // The account is locked last, as in a send. In another order the two would deadlock.
  if (skipped > 0 && message.holdId !== null) {
    const amountMilli = priceOfRecipients(message, skipped, mergedPages);
    await releaseHolds(tx, [{ userId: key.userId, holdId: message.holdId, amountMilli }]);
  }
}
