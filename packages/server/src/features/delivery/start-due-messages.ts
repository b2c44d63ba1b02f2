import type { Db } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import { startBatches } from "./manage-message.ts";
import { lockMessage, selectDueMessages } from "./message-store.ts";
import { messageStateNumbers } from "./states.ts";

const DUE_MESSAGES_MAX = 100;

/**
 * Puts scheduled messages whose time has come into the queue: never early (the database's clock decides), never twice (the
 * state moves under the row's lock). Those of blocked customers wait until they are unblocked.
 *
 * @returns the messages that were started.
 */
export async function startDueMessages(db: Db): Promise<{ userId: string; messageId: string }[]> {
  const started: { userId: string; messageId: string }[] = [];
  for (const due of await selectDueMessages(db, DUE_MESSAGES_MAX)) {
    const key = { userId: due.user_id, messageId: due.message_id };
    const isStarted = await withTransaction(db, async (tx) => {
      const message = await lockMessage(tx, key);
      if (message?.state !== messageStateNumbers.scheduled) return false;
      await startBatches(tx, key, message, due.now);
      return true;
    });
    if (isStarted) started.push(key);
  }
  return started;
}
