/** All SQL about messages that wait for their time. */
import type { Queryable } from "../../../db/pool.ts";
import type { NewMessage } from "./message-store.ts";
import { batchStates, messageStateNumbers } from "../states.ts";

type Key = { userId: string; messageId: string };

/** Scheduled messages of customers who are not blocked, whose time has come by the database's clock. */
export async function selectDueMessages(db: Queryable, limit: number): Promise<(Key & { now: Date })[]> {
  const { rows } = await db.query<Key & { now: Date }>(
    `select message.user_id as "userId", message_id as "messageId", now() as now from message join app_user using (user_id)
     where state = ${messageStateNumbers.scheduled} and send_at <= now() and blocked_at is null
     order by send_at limit $1`,
    [limit],
  );
  return rows;
}

/**
 * Marks the recipients of a scheduled message whose numbers came onto the do-not-disturb list after it was scheduled. Recipients that
 * were skipped then stay skipped: no units are held for them.
 *
 * @returns how many are new.
 */
export async function skipNewlyListed(tx: Queryable, key: Key): Promise<number> {
  const { rows } = await tx.query<{ skipped: number }>(
    `with listed as (
       select batch.batch_index, cardinality(batch.skipped) as skipped_before,
         array_agg((number.place - 1)::smallint order by number.place) as places
       from message_batch batch
       cross join lateral unnest(batch.recipients) with ordinality as number (phone_no, place)
       left join dnd_number on dnd_number.phone_no = number.phone_no
       where batch.user_id = $1 and batch.message_id = $2 and batch.state = ${batchStates.held}
         and (dnd_number.phone_no is not null or (number.place - 1)::smallint = any (batch.skipped))
       group by batch.batch_index, batch.skipped
     ), marked as (
       update message_batch batch
       set skipped = listed.places,
         state = case when cardinality(listed.places) = batch.recipient_count then ${batchStates.done} else batch.state end
       from listed
       where batch.user_id = $1 and batch.message_id = $2 and batch.batch_index = listed.batch_index
         and cardinality(listed.places) > listed.skipped_before
       returning cardinality(listed.places) - listed.skipped_before as skipped
     )
     select coalesce(sum(skipped), 0)::integer as skipped from marked`,
    [key.userId, key.messageId],
  );
  const skipped = rows[0]?.skipped ?? 0;
  if (skipped > 0) {
    await tx.query(
      "update message_count set waiting = waiting - $3, dnd = dnd + $3 where user_id = $1 and message_id = $2",
      [key.userId, key.messageId, skipped],
    );
  }
  return skipped;
}

export async function updateSendAt(tx: Queryable, key: Key, time: { sendAt: Date; timeZone: string }): Promise<void> {
  await tx.query("update message set send_at = $3, time_zone = $4 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    time.sendAt,
    time.timeZone,
  ]);
}

/** Gives a scheduled message other contents and deletes its batches; the caller writes new ones. */
export async function updateScheduled(
  tx: Queryable,
  message: Omit<NewMessage, "userName" | "state" | "createdAt" | "listedId"> & { sendAt: Date; timeZone: string },
): Promise<void> {
  const key = [message.userId, message.messageId];
  await tx.query(
    `update message set sender_name = $3, body = $4, code = $5, page_count = $6, price_milli = $7, recipient_count = $8, hold_id = $9,
       send_at = $10, time_zone = $11
     where user_id = $1 and message_id = $2`,
    [
      ...key,
      message.senderName,
      message.body,
      message.code,
      message.pageCount,
      message.priceMilli,
      message.recipientCount,
      message.holdId ?? null,
      message.sendAt,
      message.timeZone,
    ],
  );
  await tx.query("update message_count set waiting = $3, dnd = $4 where user_id = $1 and message_id = $2", [
    ...key,
    message.waitingCount,
    message.dndCount,
  ]);
  await tx.query("delete from message_batch where user_id = $1 and message_id = $2", key);
}

/** All numbers of a message, in the order they were given, comma-separated: 14 MB for 1,000,000. */
export async function selectNumberText(db: Queryable, key: Key): Promise<string> {
  const { rows } = await db.query<{ phoneNos: string }>(
    `select coalesce(string_agg(array_to_string(recipients, ','), ',' order by batch_index), '') as "phoneNos"
     from message_batch where user_id = $1 and message_id = $2`,
    [key.userId, key.messageId],
  );
  return rows[0]?.phoneNos ?? "";
}
