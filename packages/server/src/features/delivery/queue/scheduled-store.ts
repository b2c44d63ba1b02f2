/** All SQL about messages that wait for their time. */
import type { AnchoredRepeat } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { NewMessage } from "./message-store.ts";
import { numberArray } from "../../../db/sql-array.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { bitsOf } from "../feed/followers.ts";
import { batchStates, deliveryStates, messageStateNumbers } from "../states.ts";

type Key = { userId: string; messageId: string };

/** Scheduled messages of customers who are not blocked, whose time has come by the database's clock. */
export async function selectDueMessages(db: Queryable, limit: number): Promise<(Key & { now: Date })[]> {
  const { rows } = await db.query<Key & { now: Date }>({
    name: "due-messages",
    text: `select message.user_id as "userId", message_id as "messageId", now() as now from message join app_user using (user_id)
     where state = ${messageStateNumbers.scheduled} and send_at <= now() and blocked_at is null
     order by send_at limit $1`,
    values: [limit],
  });
  return rows;
}

/** Messages whose validity has ended by the database's clock, and was not looked at. */
export async function selectOverdue(db: Queryable, limit: number): Promise<(Key & { now: Date })[]> {
  const { rows } = await db.query<Key & { now: Date }>({
    name: "overdue-messages",
    text: `select user_id as "userId", message_id as "messageId", now() as now from message
     where valid_until <= now() and valid_until is not null and not is_validity_over and state <> ${messageStateNumbers.held}
     order by valid_until limit $1`,
    values: [limit],
  });
  return rows;
}

/** @param hasExpired whether somebody was left. */
export async function updateValidityOver(
  tx: Queryable,
  key: Key,
  { hasExpired }: { hasExpired: boolean },
): Promise<void> {
  await tx.query(
    "update message set is_validity_over = true, has_expired = $3, sealed_body = null where user_id = $1 and message_id = $2",
    [key.userId, key.messageId, hasExpired],
  );
}

/**
 * Marks the recipients of a scheduled message whose numbers came onto the do-not-disturb list after it was scheduled. Recipients that
 * were skipped then stay skipped: no units are held for them.
 *
 * @param reachedPrefixes numbers with these beginnings are sent to all the same, by carriers that reach them.
 * @returns how many are new, and of a merged message how many pages they would have paid.
 */
export async function skipNewlyListed(
  tx: Queryable,
  key: Key,
  reachedPrefixes: readonly string[] = [],
  followers = 0,
): Promise<{ skipped: number; mergedPages: number }> {
  const { rows } = await tx.query<{ skipped: number; mergedPages: number }>(
    `with number as (
       select batch.batch_index, number.phone_no, batch.skipped, (number.place - 1)::smallint as place,
         (number.place - 1)::smallint = any (batch.skipped) as was_skipped, dnd_number.phone_no is not null as is_listed,
         exists (select 1 from unnest($3::text[]) as reached (prefix) where starts_with(number.phone_no::text, prefix)) as is_reached,
         batch.page_counts[number.place] as pages
       from message_batch batch
       cross join lateral unnest(batch.recipients) with ordinality as number (phone_no, place)
       left join dnd_number on dnd_number.phone_no = number.phone_no
       where batch.user_id = $1 and batch.message_id = $2 and batch.state = ${batchStates.held}
     ), listed as (
       select batch_index, cardinality(skipped) as skipped_before,
         coalesce(array_agg(place order by place) filter (where was_skipped or is_listed and not is_reached), '{}') as places,
         coalesce(array_agg(place order by place) filter (where not was_skipped and is_listed and is_reached), '{}') as reached,
         sum(pages) filter (where not was_skipped and is_listed and not is_reached) as pages
       from number where was_skipped or is_listed group by batch_index, skipped
     ), marked as (
       update message_batch batch
       set skipped = listed.places, dnd_offsets = listed.reached,
         state = case when cardinality(listed.places) = batch.recipient_count then ${batchStates.done} else batch.state end
       from listed
       where batch.user_id = $1 and batch.message_id = $2 and batch.batch_index = listed.batch_index
         and (cardinality(listed.places) > listed.skipped_before or listed.reached <> batch.dnd_offsets)
       returning batch.batch_index, cardinality(listed.places) - listed.skipped_before as skipped, listed.pages
     ), fed as (
       insert into report_feed (user_id, follower, message_id, state, positions, phone_nos, ends_batch)
       select $1, follower, $2, ${deliveryStates.dnd}, array_agg(batch_index * ${deliveryLimits.batchRecipientsMax} + place), array_agg(phone_no), true
       from unnest($4::smallint[]) as follower cross join marked join number using (batch_index)
       where is_listed and not was_skipped and not is_reached
       group by follower, batch_index
     )
     select coalesce(sum(skipped), 0)::integer as skipped, coalesce(sum(pages), 0)::integer as "mergedPages" from marked`,
    [key.userId, key.messageId, reachedPrefixes, numberArray(bitsOf(followers))],
  );
  const { skipped, mergedPages } = rows[0] ?? { skipped: 0, mergedPages: 0 };
  if (skipped > 0) {
    await tx.query(
      "update message_count set waiting = waiting - $3, dnd = dnd + $3 where user_id = $1 and message_id = $2",
      [key.userId, key.messageId, skipped],
    );
  }
  return { skipped, mergedPages };
}

export async function updateSendAt(tx: Queryable, key: Key, time: { sendAt: Date; timeZone: string }): Promise<void> {
  await tx.query("update message set send_at = $3, time_zone = $4 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    time.sendAt,
    time.timeZone,
  ]);
}

export async function updateRepeat(tx: Queryable, key: Key, repeat: AnchoredRepeat | undefined): Promise<void> {
  const text = repeat === undefined ? null : JSON.stringify(repeat);
  await tx.query("update message set repeat = $3 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    text,
  ]);
}

export async function updateValidUntil(tx: Queryable, key: Key, validUntil: Date | undefined): Promise<void> {
  await tx.query("update message set valid_until = $3 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    validUntil ?? null,
  ]);
}

export async function updateHoldId(tx: Queryable, key: Key, holdId: string | undefined): Promise<void> {
  await tx.query("update message set hold_id = $3 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    holdId ?? null,
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
       send_at = $10, time_zone = $11, is_merged = $12, has_opt_out_link = $13, is_transactional = $14, reaches_dnd = $15
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
      message.isMerged,
      message.hasOptOutLink,
      message.isTransactional,
      message.reachesDnd,
    ],
  );
  await tx.query(
    "update message_count set waiting = $3, dnd = $4, opted_out = $5 where user_id = $1 and message_id = $2",
    [...key, message.waitingCount, message.dndCount, message.optedOutCount],
  );
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

/** What a message's recipients that wait pay together, in pages; looked at when its texts differ. */
export async function sumWaitingPages(tx: Queryable, key: Key): Promise<number> {
  const { rows } = await tx.query<{ pages: number }>(
    `select coalesce(sum(own.pages), 0)::integer as pages
     from message_batch batch cross join lateral unnest(batch.page_counts) with ordinality as own (pages, number)
     where batch.user_id = $1 and batch.message_id = $2 and (number - 1)::smallint <> all (batch.skipped)`,
    [key.userId, key.messageId],
  );
  return rows[0]?.pages ?? 0;
}
