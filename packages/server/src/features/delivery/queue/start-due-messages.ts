import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { publishChange, scheduledMessageStarted } from "../../../events/index.ts";
import { releaseHolds } from "../../../ledger/index.ts";
import { countDndNumbers } from "../dnd/dnd-store.ts";
import { giveUpMessage, startBatches } from "./manage-message.ts";
import { lockBatches, lockMessage, updateListedId, type LockedMessage } from "./message-store.ts";
import { selectDueMessages, skipNewlyListed } from "./scheduled-store.ts";
import { messageStateNumbers } from "../states.ts";

const DUE_MESSAGES_MAX = 100;

type Key = { userId: string; messageId: string };

/** Whether a message may still be sent as what it says; asked when its time has come. */
export type MayStart = (tx: Tx, message: { userId: string; senderName: string }) => Promise<boolean>;

/**
 * Puts scheduled messages whose time has come into the queue: never early (the database's clock decides), never twice (the
 * state moves under the row's lock). Those of blocked customers wait until they are unblocked. What may no longer be sent is
 * cancelled, and its units come back.
 *
 * @returns the messages that were started or cancelled.
 * @throws AggregateError when some could not be; the others were.
 */
export async function startDueMessages(db: Db, mayStart: MayStart = () => Promise.resolve(true)): Promise<Key[]> {
  const moved: Key[] = [];
  const failures: unknown[] = [];
  for (const due of await selectDueMessages(db, DUE_MESSAGES_MAX)) {
    const key = { userId: due.user_id, messageId: due.message_id };
    try {
      if (await withTransaction(db, (tx) => startDueMessage(tx, key, due.now, mayStart), { repeatable: true }))
        moved.push(key);
    } catch (error) {
      // One message that cannot start must not keep the others from it; the caller hears of all that failed.
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} scheduled messages could not be started`);
  return moved;
}

/** @returns false when there is nothing to start: it was started, deleted, or moved to a later time since it was found. */
export async function startDueMessage(tx: Tx, key: Key, now: Date, mayStart: MayStart): Promise<boolean> {
  const message = await lockMessage(tx, key);
  // Looked at again under the lock.
  if (message?.state !== messageStateNumbers.scheduled || !message.is_due) return false;
  if (await mayStart(tx, { userId: key.userId, senderName: message.sender_name })) {
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
  const skipped = (await countDndNumbers(tx, 1)) === 0 ? 0 : await skipNewlyListed(tx, key);
  await startBatches(tx, key, { ...message, waiting: message.waiting - skipped }, now);
  // The account last, as a send does it: the other way round the two would wait for each other.
  if (skipped > 0 && message.hold_id !== null) {
    await releaseHolds(tx, [
      { userId: key.userId, holdId: message.hold_id, amountMilli: skipped * message.price_milli },
    ]);
  }
}
