import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { LockedMessage } from "../queue/message-store.ts";
import { messageStateNumbers } from "../states.ts";

/** `held_from` is null for a message that was never held. */
export type LockedHeld = LockedMessage & { user_id: string; held_from: number | null };

/** Locks a message's row by its id alone, hidden or not: two administrators who press together follow each other. */
export async function lockHeldMessage(tx: Tx, messageId: string): Promise<LockedHeld | undefined> {
  const { rows } = await tx.query<LockedHeld>(
    `select user_id, held_from, user_name, sender_name, body, code, send_at, time_zone, coalesce(send_at <= now(), false) as is_due, message.state,
       waiting, message.recipient_count, page_count, price_milli, hold_id
     from message join message_count using (user_id, message_id)
     where message.message_id = $1
     for update of message`,
    [messageId],
  );
  return rows[0];
}

/** Whether an administrator has something to decide after a restore. */
export async function hasHeldMessages(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ isHeld: boolean }>(
    `select exists (select from message where state = ${messageStateNumbers.held}) as "isHeld"`,
  );
  return rows[0]?.isHeld ?? false;
}
