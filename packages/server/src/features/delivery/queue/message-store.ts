/** All SQL about messages on their way: accepted, paused, resumed, cancelled. Lists are in message-list-store.ts. */
import type { AnchoredRepeat, ProgramKeyMode } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { numberArray, packArray, textArray } from "../../../db/sql-array.ts";
import { bitsOf, ENDED_STATE } from "../feed/followers.ts";
import { DELIVERY_CHANNEL, deliveryLimits } from "../delivery-limits.ts";
import { batchStates, batchStops, messageStateNumbers } from "../states.ts";

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
  isMerged: boolean;
  hasOptOutLink: boolean;
  optedOutCount: number;
  /** Of one that is in none of its customer's lists. */
  hiddenAt?: Date | undefined;
  honoursOptOuts?: boolean;
  isTest: boolean;
  isTransactional: boolean;
  reachesDnd: boolean;
  validUntil?: Date | undefined;
  repeat?: AnchoredRepeat | undefined;
  /** Of one that an administrator looks at first: what it becomes, and why. */
  heldFrom?: number;
  reviewNote?: string | undefined;
  awaitsApproval?: boolean;
  /** The member who sent it. */
  sentBy?: string | undefined;
  /** What the program that sent it calls it. */
  reference?: string | undefined;
  /** Who is told what becomes of its recipients; see report-feed.ts. */
  followerBits?: number;
  /** How it came in. */
  origin?: string | undefined;
  sealedBody?: Buffer | undefined;
};

/** The columns of a new message: what each is, and where it comes from. `insertMessage` and `insertMessages` are made of this one list. */
const NEW_MESSAGE_COLUMNS: [column: string, type: string, valueOf: (message: NewMessage) => unknown][] = [
  ["user_id", "uuid", (message) => message.userId],
  ["message_id", "uuid", (message) => message.messageId],
  ["user_name", "text", (message) => message.userName],
  ["sender_name", "text", (message) => message.senderName],
  ["body", "text", (message) => message.body],
  ["code", "text", (message) => message.code],
  ["page_count", "smallint", (message) => message.pageCount],
  ["price_milli", "bigint", (message) => message.priceMilli],
  ["recipient_count", "integer", (message) => message.recipientCount],
  ["hold_id", "uuid", (message) => message.holdId ?? null],
  ["state", "smallint", (message) => message.state],
  ["send_at", "timestamptz", (message) => message.sendAt ?? null],
  ["time_zone", "text", (message) => message.timeZone ?? null],
  ["created_at", "timestamptz", (message) => message.createdAt],
  ["state_at", "timestamptz", (message) => message.createdAt],
  ["listed_id", "uuid", (message) => message.listedId ?? null],
  ["is_merged", "boolean", (message) => message.isMerged],
  ["hidden_at", "timestamptz", (message) => message.hiddenAt ?? null],
  ["honours_opt_outs", "boolean", (message) => message.honoursOptOuts ?? true],
  ["has_opt_out_link", "boolean", (message) => message.hasOptOutLink],
  ["is_test", "boolean", (message) => message.isTest],
  ["is_transactional", "boolean", (message) => message.isTransactional],
  ["reaches_dnd", "boolean", (message) => message.reachesDnd],
  ["valid_until", "timestamptz", (message) => message.validUntil ?? null],
  ["repeat", "jsonb", (message) => (message.repeat === undefined ? null : JSON.stringify(message.repeat))],
  ["held_from", "smallint", (message) => message.heldFrom ?? null],
  ["held_at", "timestamptz", (message) => (message.heldFrom === undefined ? null : message.createdAt)],
  ["review_note", "text", (message) => message.reviewNote ?? null],
  ["sealed_body", "bytea", (message) => message.sealedBody ?? null],
  ["reference", "text", (message) => message.reference ?? null],
  ["followers", "smallint", (message) => message.followerBits ?? 0],
  ["origin", "text", (message) => message.origin ?? null],
  ["sent_by", "uuid", (message) => message.sentBy ?? null],
  ["awaits_approval", "boolean", (message) => message.awaitsApproval ?? false],
];
const NEW_COUNT_COLUMNS: typeof NEW_MESSAGE_COLUMNS = [
  ["waiting", "integer", (message) => message.waitingCount],
  ["dnd", "integer", (message) => message.dndCount],
  ["opted_out", "integer", (message) => message.optedOutCount],
];

const columnNames = (columns: typeof NEW_MESSAGE_COLUMNS): string => columns.map(([column]) => column).join(", ");
/** @param first the number of the first parameter. */
const parameters = (columns: typeof NEW_MESSAGE_COLUMNS, first: number, suffix = ""): string =>
  columns.map(([, type], index) => `$${first + index}::${type}${suffix}`).join(", ");
const STATE_PARAMETER = NEW_MESSAGE_COLUMNS.findIndex(([column]) => column === "state") + 1;

/** What is in none of its customer's lists does not count, and does not wait for a large send that does. */
const COUNT_MESSAGE = `, counted as (
       insert into customer_count as own (user_id, messages)
       values ($1, ($${STATE_PARAMETER}::smallint <> ${messageStateNumbers.scheduled})::integer)
       on conflict (user_id) do update set messages = own.messages + excluded.messages
     )`;

export async function insertMessage(tx: Queryable, message: NewMessage): Promise<void> {
  await tx.query({
    name: message.hiddenAt === undefined ? "new-message" : "new-hidden-message",
    text: `with new_message as (
       insert into message (${columnNames(NEW_MESSAGE_COLUMNS)}) values (${parameters(NEW_MESSAGE_COLUMNS, 1)})
     )${message.hiddenAt === undefined ? COUNT_MESSAGE : ""}
     insert into message_count (user_id, message_id, ${columnNames(NEW_COUNT_COLUMNS)})
     values ($1, $2, ${parameters(NEW_COUNT_COLUMNS, NEW_MESSAGE_COLUMNS.length + 1)})`,
    values: [...NEW_MESSAGE_COLUMNS, ...NEW_COUNT_COLUMNS].map(([, , valueOf]) => valueOf(message)),
  });
}

/**
 * Many messages of one customer: 200 rows cost a third of 200 statements (measured with `npm run bench
 * smpp-in`). Separate statements, because a cluster takes no modification with several rows inside another.
 */
export async function insertMessages(tx: Queryable, userId: string, messages: readonly NewMessage[]): Promise<void> {
  const own = NEW_MESSAGE_COLUMNS.slice(1);
  await tx.query({
    name: "new-messages",
    text: `insert into message (user_id, ${columnNames(own)}) select $1::uuid, ${columnNames(own)}
     from unnest(${parameters(own, 2, "[]")}) as new (${columnNames(own)})`,
    values: [userId, ...own.map(([, type, valueOf]) => packArray(type, messages.map(valueOf)))],
  });
  await tx.query({
    name: "new-message-counts",
    text: `insert into message_count (user_id, message_id, ${columnNames(NEW_COUNT_COLUMNS)})
     select $1::uuid, message_id, ${columnNames(NEW_COUNT_COLUMNS)}
     from unnest($2::uuid[], ${parameters(NEW_COUNT_COLUMNS, 3, "[]")}) as new (message_id, ${columnNames(NEW_COUNT_COLUMNS)})`,
    values: [
      userId,
      textArray(messages.map(({ messageId }) => messageId)),
      ...NEW_COUNT_COLUMNS.map(([, type, valueOf]) => packArray(type, messages.map(valueOf))),
    ],
  });
  await tx.query({
    name: "count-messages",
    text: `insert into customer_count as own (user_id, messages) values ($1, $2)
     on conflict (user_id) do update set messages = own.messages + excluded.messages`,
    values: [
      userId,
      messages.filter(({ state, hiddenAt }) => state !== messageStateNumbers.scheduled && hiddenAt === undefined)
        .length,
    ],
  });
}

/** Why a scheduled message that was edited waits, and the member who edited it. */
export type EditReview = { note: string | undefined; awaitsApproval: boolean; sentBy: string | undefined; at: Date };

/** A scheduled message that was edited waits for an approver of the account, or for an administrator. */
export async function putInReview(
  tx: Queryable,
  key: { userId: string; messageId: string },
  { note, awaitsApproval, sentBy, at }: EditReview,
): Promise<void> {
  await updateMessageState(tx, key, messageStateNumbers.review, at);
  await tx.query(
    `update message set held_from = ${messageStateNumbers.scheduled}, held_at = $3, review_note = $4, awaits_approval = $5,
       sent_by = $6 where user_id = $1 and message_id = $2`,
    [key.userId, key.messageId, at, note ?? null, awaitsApproval, sentBy ?? null],
  );
}

export type NewBatch = {
  batchIndex: number;
  phoneNos: number[];
  /** Offsets that are never sent to, whatever the reason. */
  skipped: number[];
  /** Those of them that opted out. */
  optedOut: number[];
  /** Those on the do-not-disturb list that are sent to. */
  dndOffsets: number[];
  state: number;
  /** Null: of a test. */
  isExpress: boolean | null;
  turn: number;
  lane: number;
  /** Of a merged message: JSON of what its texts are made of (`MergeValues`), and the pages of each recipient. */
  mergeValues: string | null;
  pageCounts: readonly number[] | null;
};

/** Batches of one customer's messages. */
export async function insertBatches(
  tx: Queryable,
  userId: string,
  batches: readonly (NewBatch & { messageId: string })[],
): Promise<void> {
  await tx.query({
    name: "new-batches",
    text: `insert into message_batch (user_id, message_id, batch_index, recipients, recipient_count, skipped, state, is_express, turn, lane,
       merge_values, page_counts, opted_out_offsets, dnd_offsets)
     select $1, message_id, index, numbers::bigint[], count, skips::smallint[], state, express, turn, lane, merging, pages::smallint[],
       opted::smallint[], dnd::smallint[]
     from unnest($2::uuid[], $3::integer[], $4::text[], $5::smallint[], $6::text[], $7::smallint[], $8::boolean[], $9::bigint[],
         $10::smallint[], $11::text[], $12::text[], $13::text[], $14::text[])
       as new (message_id, index, numbers, count, skips, state, express, turn, lane, merging, pages, opted, dnd)`,
    values: [
      userId,
      textArray(batches.map((batch) => batch.messageId)),
      numberArray(batches.map((batch) => batch.batchIndex)),
      batches.map((batch) => `{${batch.phoneNos.join(",")}}`),
      numberArray(batches.map((batch) => batch.phoneNos.length)),
      batches.map((batch) => `{${batch.skipped.join(",")}}`),
      numberArray(batches.map((batch) => batch.state)),
      batches.map((batch) => batch.isExpress),
      numberArray(batches.map((batch) => batch.turn)),
      numberArray(batches.map((batch) => batch.lane)),
      batches.map((batch) => batch.mergeValues),
      batches.map((batch) => batch.pageCounts && `{${batch.pageCounts.join(",")}}`),
      batches.map((batch) => `{${batch.optedOut.join(",")}}`),
      batches.map((batch) => `{${batch.dndOffsets.join(",")}}`),
    ],
  });
}

/** Wakes the workers when the transaction commits. */
export async function notifyWorkers(tx: Queryable): Promise<void> {
  await tx.query({ name: "wake-workers", text: "select pg_notify($1, '')", values: [DELIVERY_CHANNEL] });
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
  optedOutCount: number;
  pageCount: number;
  priceMilli: number;
  holdId: string | null;
  isMerged: boolean;
  hasOptOutLink: boolean;
  isTest: boolean;
  isTransactional: boolean;
  reachesDnd: boolean;
  repeat: AnchoredRepeat | null;
  validUntil: Date | null;
  reference: string | null;
  followers: number;
};

/** The columns of a `LockedMessage`, from `message join message_count`. */
export const LOCKED_MESSAGE_COLUMNS = `user_name as "userName", sender_name as "senderName", body, code, send_at as "sendAt",
  time_zone as "timeZone", coalesce(send_at <= now(), false) as "isDue", message.state, waiting, opted_out as "optedOutCount", message.recipient_count as "recipientCount",
  page_count as "pageCount", price_milli as "priceMilli", hold_id as "holdId", is_merged as "isMerged",
  has_opt_out_link as "hasOptOutLink", is_test as "isTest", is_transactional as "isTransactional", reaches_dnd as "reachesDnd", repeat, valid_until as "validUntil", reference, followers`;

/** A message that its customer did not delete. One of a test is hidden from the start, which keeps it out of the lists and counts. */
export const IS_THERE = "(hidden_at is null or is_test and hidden_at = created_at)";

/** `mode`: only a message of this mode; absent: of either. `hasHidden`: one that its customer deleted, too. */
export type MessageKey = { userId: string; messageId: string; mode?: ProgramKeyMode | undefined; hasHidden?: boolean };

/** Locks the message's row, so that of two presses of a button the second waits for the first. Flushes do not lock this row. */
export async function lockMessage(tx: Queryable, key: MessageKey): Promise<LockedMessage | undefined> {
  const { rows } = await tx.query<LockedMessage>(
    `select ${LOCKED_MESSAGE_COLUMNS} from message join message_count using (user_id, message_id)
     where message.user_id = $1 and message.message_id = $2 and ($4::boolean or ${IS_THERE}) and ($3::boolean is null or is_test = $3)
     for update of message`,
    [key.userId, key.messageId, key.mode === undefined ? null : key.mode === "test", key.hasHidden === true],
  );
  return rows[0];
}

const IS_LISTED = `(state <> ${messageStateNumbers.scheduled} and hidden_at is null)::integer`;

/** Changes a message that is locked, and with it how many of its customer's messages stand in the history. */
function changeAndCount(change: string): string {
  return `
    with before as materialized (
      select user_id, ${IS_LISTED} as listed from message where user_id = $1 and message_id = $2
    ), changed as (
      update message set ${change} where user_id = $1 and message_id = $2 returning user_id, ${IS_LISTED} as listed
    )
    update customer_count own set messages = own.messages + changed.listed - before.listed
    from before join changed using (user_id) where own.user_id = $1 and changed.listed <> before.listed`;
}

export async function updateMessageState(
  tx: Queryable,
  key: { userId: string; messageId: string },
  state: number,
  at: Date,
): Promise<void> {
  await tx.query(changeAndCount("state = $3, state_at = $4"), [key.userId, key.messageId, state, at]);
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
       stop = ${batchStops.none}, waits_for = null,
       turn = case when state = ${batchStates.held} then $3 + batch_index::bigint * ${deliveryLimits.batchRecipientsMax} * $4 else turn end
     where user_id = $1 and message_id = $2
       and (state = ${batchStates.held} or (state in (${batchStates.ready}, ${batchStates.leased}) and stop = ${batchStops.hold}))`,
    [key.userId, key.messageId, queue.firstTurn, queue.pageCount],
  );
}

/**
 * Cancels the batches that no worker has leased, and asks the workers to give the others back.
 *
 * @returns how many recipients were cancelled here, and of a merged message how many pages they would have paid.
 */
export async function cancelBatches(
  tx: Queryable,
  key: { userId: string; messageId: string },
  followers: number,
): Promise<{ cancelled: number; mergedPages: number }> {
  await tx.query(
    `update message_batch
     set stop = ${batchStops.cancel}, waits_for = null, state = case when state = ${batchStates.leased} then state else ${batchStates.ready} end
     where user_id = $1 and message_id = $2
       and (state = ${batchStates.leased} or (is_dirty and state in (${batchStates.held}, ${batchStates.ready})))`,
    [key.userId, key.messageId],
  );
  // A clean batch that was given back has a row for every offset below its intents, except those in redo.
  const { rows } = await tx.query<{ cancelled: number; mergedPages: number }>(
    `with cancelled as (
       update message_batch set state = ${batchStates.cancelled}
       where user_id = $1 and message_id = $2 and state in (${batchStates.held}, ${batchStates.ready}) and not is_dirty
       returning batch_index, case when $3::smallint <> 0 then recipients end as numbers, intent_count, redo, skipped,
         recipient_count - intent_count + cardinality(redo)
         - (select count(*) from unnest(skipped) as number (place) where place >= intent_count) as recipients,
         (select sum(pages) from unnest(page_counts) with ordinality as own (pages, number)
          where (number > intent_count or (number - 1)::smallint = any (redo)) and (number - 1)::smallint <> all (skipped)) as pages
     ), fed as (
       insert into report_feed (user_id, follower, message_id, state, positions, phone_nos, ends_batch)
       select $1, follower, $2, ${ENDED_STATE}, positions, phone_nos, true
       from unnest($4::smallint[]) as follower cross join cancelled cross join lateral (
         select coalesce(array_agg(batch_index * ${deliveryLimits.batchRecipientsMax} + place::integer - 1), '{}') as positions, coalesce(array_agg(phone_no), '{}') as phone_nos
         from unnest(cancelled.numbers) with ordinality as own (phone_no, place)
         where (place > intent_count or (place - 1)::smallint = any (redo)) and (place - 1)::smallint <> all (skipped)
       ) as rest
     )
     select coalesce(sum(recipients), 0)::integer as cancelled, coalesce(sum(pages), 0)::integer as "mergedPages" from cancelled`,
    [key.userId, key.messageId, followers, numberArray(bitsOf(followers))],
  );
  return rows[0] ?? { cancelled: 0, mergedPages: 0 };
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
  // A test is hidden from its creation on; deleted is later, also by a clock that stands still.
  const hiddenAt = "case when is_test then greatest($3, created_at + interval '1 millisecond') else $3 end";
  await tx.query(changeAndCount(`hidden_at = ${hiddenAt}`), [key.userId, key.messageId, at]);
}

/** The turn that is served now: what starts there stands before everything that waits. */
export async function readServedTurn(tx: Queryable, isExpress: boolean): Promise<number> {
  const { rows } = await tx.query<{ servedTurn: number }>(
    `select last_value as "servedTurn" from ${isExpress ? "express" : "bulk"}_turn`,
  );
  return rows[0]?.servedTurn ?? 0;
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
  const servedTurn = await readServedTurn(tx, turns.isExpress);
  const { rows } = await tx.query<{ firstTurn: number }>({
    name: `take-${column}-turn`,
    text: `insert into customer_turn as own (user_id, ${column}) values ($1, $3::bigint + $2::bigint)
     on conflict (user_id) do update
       set ${column} = greatest(own.${column} + $2::bigint, excluded.${column})
     returning ${column} - $2::bigint as "firstTurn"`,
    values: [turns.userId, turns.cost, servedTurn],
  });
  return rows[0]?.firstTurn ?? 0;
}
