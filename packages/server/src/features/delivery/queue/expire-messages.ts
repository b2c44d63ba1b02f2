import type { Db } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { messageProgressed, publishChange } from "../../../events/index.ts";
import { messageStateNumbers } from "../states.ts";
import { giveUpMessage } from "./manage-message.ts";
import { lockMessage } from "./message-store.ts";
import { selectOverdue, updateValidityOver } from "./scheduled-store.ts";

const OVERDUE_MAX = 100;

type Key = { userId: string; messageId: string };

/**
 * Ends messages whose `validUntil` has come: who waits expires and the units come back, at once where no worker has leased the batch, within 2 s
 * elsewhere. Workers hand over nothing of such a message from that moment on (`dispatcher.ts`). What is held after a restore waits for its
 * administrator.
 *
 * @returns the messages in which somebody was left.
 */
export async function expireMessages(db: Db): Promise<Key[]> {
  const ended: Key[] = [];
  for (const { now, ...key } of await selectOverdue(db, OVERDUE_MAX))
    if (await withTransaction(db, (tx) => expireMessage(tx, key, now), { repeatable: true })) ended.push(key);
  return ended;
}

async function expireMessage(tx: Tx, key: Key, now: Date): Promise<boolean> {
  const message = await lockMessage(tx, key);
  const isOpen = message !== undefined && OPEN_STATES.has(message.state) && message.waiting > 0;
  await updateValidityOver(tx, key, { hasExpired: isOpen });
  if (!isOpen) return false;
  await publishChange(tx, messageProgressed(key));
  // The account is locked last, as in a send.
  await giveUpMessage(tx, key, message, now);
  return true;
}

const OPEN_STATES: ReadonlySet<number> = new Set([
  messageStateNumbers.scheduled,
  messageStateNumbers.sending,
  messageStateNumbers.paused,
  messageStateNumbers.review,
]);
