/** All SQL about messages on their way: accepted, paused, resumed, cancelled. Lists are in message-list-store.ts. */
import type { Queryable } from "../../../db/pool.ts";
import { DELIVERY_CHANNEL, deliveryLimits } from "../delivery-limits.ts";
import { batchStates, batchStops } from "../states.ts";

export type NewMessage = {
  userId: string;
  messageId: string;
  userName: string;
  senderName: string;
  body: string;
  code: string;
  pageCount: number;
  priceMilli: number;
  holdId: string | undefined;
  state: number;
  createdAt: Date;
  sendAt?: Date;
  timeZone?: string;
  listedId?: string;
  recipientCount: number;
  waitingCount: number;
  dndCount: number;
};

export async function insertMessage(tx: Queryable, message: NewMessage): Promise<void> {
  await tx.query(
    `with new_message as (
       insert into message (user_id, message_id, user_name, sender_name, body, code, page_count, price_milli, recipient_count,
         hold_id, state, send_at, time_zone, created_at, state_at, listed_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $17)
     )
     insert into message_count (user_id, message_id, waiting, dnd) values ($1, $2, $15, $16)`,
    [
      message.userId,
      message.messageId,
      message.userName,
      message.senderName,
      message.body,
      message.code,
      message.pageCount,
      message.priceMilli,
      message.recipientCount,
      message.holdId ?? null,
      message.state,
      message.sendAt ?? null,
      message.timeZone ?? null,
      message.createdAt,
      message.waitingCount,
      message.dndCount,
      message.listedId ?? null,
    ],
  );
}

export type NewBatch = {
  batchIndex: number;
  phoneNos: number[];
  skipped: number[];
  state: number;
  isExpress: boolean;
  turn: number;
  lane: number;
};

export async function insertBatches(
  tx: Queryable,
  key: { userId: string; messageId: string },
  batches: NewBatch[],
): Promise<void> {
  await tx.query(
    `insert into message_batch (user_id, message_id, batch_index, recipients, recipient_count, skipped, state, is_express, turn, lane)
     select $1, $2, index, numbers::bigint[], count, skips::smallint[], state, express, turn, lane
     from unnest($3::integer[], $4::text[], $5::smallint[], $6::text[], $7::smallint[], $8::boolean[], $9::bigint[], $10::smallint[])
       as new (index, numbers, count, skips, state, express, turn, lane)`,
    [
      key.userId,
      key.messageId,
      batches.map((batch) => batch.batchIndex),
      batches.map((batch) => `{${batch.phoneNos.join(",")}}`),
      batches.map((batch) => batch.phoneNos.length),
      batches.map((batch) => `{${batch.skipped.join(",")}}`),
      batches.map((batch) => batch.state),
      batches.map((batch) => batch.isExpress),
      batches.map((batch) => batch.turn),
      batches.map((batch) => batch.lane),
    ],
  );
}

/** Wakes the workers when the transaction commits. */
export async function notifyWorkers(tx: Queryable): Promise<void> {
  await tx.query("select pg_notify($1, '')", [DELIVERY_CHANNEL]);
}

export type LockedMessage = {
  userName: string;
  senderName: string;
  body: string;
  code: string;
  sendAt: Date | null;
  timeZone: string | null;
  /** Whether the message's time has come, by the database's clock. */
  isDue: boolean;
  state: number;
  waiting: number;
  recipientCount: number;
  pageCount: number;
  priceMilli: number;
  holdId: string | null;
};

/** The columns of a `LockedMessage`, from `message join message_count`. */
export const LOCKED_MESSAGE_COLUMNS = `user_name as "userName", sender_name as "senderName", body, code, send_at as "sendAt",
  time_zone as "timeZone", coalesce(send_at <= now(), false) as "isDue", message.state, waiting, message.recipient_count as "recipientCount",
  page_count as "pageCount", price_milli as "priceMilli", hold_id as "holdId"`;

/** Locks the message's row, so that of two presses of a button the second waits for the first. Flushes do not lock this row. */
export async function lockMessage(
  tx: Queryable,
  key: { userId: string; messageId: string },
): Promise<LockedMessage | undefined> {
  const { rows } = await tx.query<LockedMessage>(
    `select ${LOCKED_MESSAGE_COLUMNS} from message join message_count using (user_id, message_id)
     where message.user_id = $1 and message.message_id = $2 and hidden_at is null
     for update of message`,
    [key.userId, key.messageId],
  );
  return rows[0];
}

export async function updateMessageState(
  tx: Queryable,
  key: { userId: string; messageId: string },
  state: number,
  at: Date,
): Promise<void> {
  await tx.query("update message set state = $3, state_at = $4 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    state,
    at,
  ]);
}

/** A scheduled message that starts, or is cancelled, comes to the head of the history. */
export async function updateListedId(
  tx: Queryable,
  key: { userId: string; messageId: string },
  listedId: string,
): Promise<void> {
  await tx.query("update message set listed_id = $3 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    listedId,
  ]);
}

export async function lockBatches(tx: Queryable, key: { userId: string; messageId: string }): Promise<void> {
  await tx.query(
    `select from message_batch where user_id = $1 and message_id = $2 and state in (${batchStates.held}, ${batchStates.leased})
     order by batch_index for no key update`,
    [key.userId, key.messageId],
  );
}

/** Takes the ready batches out of the queue and asks the workers to give the leased ones back. */
export async function holdBatches(tx: Queryable, key: { userId: string; messageId: string }): Promise<void> {
  // A dirty batch stays in the queue: the worker that claims it settles what the dead worker left, and holds the batch then.
  await tx.query(
    `update message_batch
     set state = case when state = ${batchStates.ready} and not is_dirty then ${batchStates.held} else state end,
       stop = case when state = ${batchStates.leased} or is_dirty then ${batchStops.hold} else stop end
     where user_id = $1 and message_id = $2 and state in (${batchStates.ready}, ${batchStates.leased})`,
    [key.userId, key.messageId],
  );
}

/** Puts held batches into the queue, from `firstTurn` on. A batch that was asked to stop, and has not stopped yet, goes on. */
export async function readyBatches(
  tx: Queryable,
  key: { userId: string; messageId: string },
  queue: { firstTurn: number; pageCount: number },
): Promise<void> {
  await tx.query(
    `update message_batch
     set state = case when state = ${batchStates.held} then ${batchStates.ready} else state end,
       stop = ${batchStops.none},
       turn = case when state = ${batchStates.held} then $3 + batch_index::bigint * ${deliveryLimits.batchRecipientsMax} * $4 else turn end
     where user_id = $1 and message_id = $2
       and (state = ${batchStates.held} or (state in (${batchStates.ready}, ${batchStates.leased}) and stop = ${batchStops.hold}))`,
    [key.userId, key.messageId, queue.firstTurn, queue.pageCount],
  );
}

/**
 * Cancels the batches that no worker has leased, and asks the workers to give the others back.
 *
 * @returns how many recipients were cancelled here.
 */
export async function cancelBatches(tx: Queryable, key: { userId: string; messageId: string }): Promise<number> {
  await tx.query(
    `update message_batch
     set stop = ${batchStops.cancel}, state = case when state = ${batchStates.leased} then state else ${batchStates.ready} end
     where user_id = $1 and message_id = $2
       and (state = ${batchStates.leased} or (is_dirty and state in (${batchStates.held}, ${batchStates.ready})))`,
    [key.userId, key.messageId],
  );
  // A clean batch that was given back has a row for every offset below its intents, except those in redo.
  const { rows } = await tx.query<{ cancelled: number }>(
    `with cancelled as (
       update message_batch set state = ${batchStates.cancelled}
       where user_id = $1 and message_id = $2 and state in (${batchStates.held}, ${batchStates.ready}) and not is_dirty
       returning recipient_count - intent_count + cardinality(redo)
         - (select count(*) from unnest(skipped) as number (place) where place >= intent_count) as recipients
     )
     select coalesce(sum(recipients), 0)::integer as cancelled from cancelled`,
    [key.userId, key.messageId],
  );
  return rows[0]?.cancelled ?? 0;
}

export async function moveToCancelled(
  tx: Queryable,
  key: { userId: string; messageId: string },
  count: number,
): Promise<void> {
  await tx.query(
    "update message_count set waiting = waiting - $3, cancelled = cancelled + $3 where user_id = $1 and message_id = $2",
    [key.userId, key.messageId, count],
  );
}

export async function hideMessageRow(
  tx: Queryable,
  key: { userId: string; messageId: string },
  at: Date,
): Promise<void> {
  await tx.query("update message set hidden_at = $3 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    at,
  ]);
}

/**
 * Fair queueing by virtual time (start-time fair queueing). Each customer has two lines: small sends and bulk. A send starts
 * where the customer's last one ends, but not before the turn that is served now. So the tenth message of a quiet customer
 * stands at the head, and the second million of a busy customer behind the first million.
 *
 * @param tx open transaction; another send of the same customer waits until it ends.
 * @param turns the cost in messages on the wire (recipients x pages).
 * @returns the turn at which the send starts. Its batches follow, each after the cost of those before it.
 */
export async function takeTurns(
  tx: Queryable,
  turns: { userId: string; isExpress: boolean; cost: number },
): Promise<number> {
  const column = turns.isExpress ? "express" : "bulk";
  // Two statements: the clock is one for all customers, and a cluster keeps it elsewhere than a customer's rows.
  const { rows: clock } = await tx.query<{ servedTurn: number }>(
    `select last_value as "servedTurn" from ${column}_turn`,
  );
  const { rows } = await tx.query<{ firstTurn: number }>(
    `insert into customer_turn as own (user_id, ${column}) values ($1, $3::bigint + $2::bigint)
     on conflict (user_id) do update
       set ${column} = greatest(own.${column} + $2::bigint, excluded.${column})
     returning ${column} - $2::bigint as "firstTurn"`,
    [turns.userId, turns.cost, clock[0]?.servedTurn ?? 0],
  );
  return rows[0]?.firstTurn ?? 0;
}
