/** All SQL of a flush: what a worker commits about the messages in its hands. */
import { isDistributed, ON_CLUSTER, ONE_SERVER } from "../../../db/distribution.ts";
import { readHoldMoves, type HoldMove } from "../../../ledger/index.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { feedValues, insertFeedStatement } from "../feed/report-feed-store.ts";
import type { FeedRowOfFollower } from "../feed/followers.ts";
import { selectIsOurDatabase, type KnownMark } from "../send-mark/send-mark-store.ts";
import { batchStates, batchStops, type DeliveryState } from "../states.ts";
import { numberArray, textArray } from "../../../db/sql-array.ts";

/** `done`: all recorded. `givenBack`: to the queue, or held or cancelled if its customer asked for that. */
export const LEAVE = { stays: 0, done: 1, givenBack: 2 } as const;

export type BatchColumns = {
  userIds: string[];
  messageIds: string[];
  batchIndexes: number[];
  attempts: number[];
  intentCounts: number[];
  /** Each as an array literal. */
  redos: string[];
  leaves: number[];
};

export type OutcomeColumns = {
  /** Into the batch columns. */
  batchIndexes: number[];
  offsets: number[];
  phoneNos: number[];
  states: number[];
  carrierIds: number[];
  /** None when all are 0. */
  deliveredParts: number[];
  keys: (string | null)[];
  /** None when all are null. */
  errorCodes: (string | null)[];
};

/** `batchIndex` is into the batch columns. */
export type FencedBatch = { batchIndex: number; state: number; stop: number };

/**
 * Records intents and answers of batches that this worker still holds, and the flush's number; the other batches are not touched, and not
 * returned. One statement, so that a batch that was lost cannot be written to between the check and the rows, and because each
 * round trip waits for the turn of a busy worker.
 *
 * @returns nothing at all when the database is not the one that the worker knows.
 */
export async function recordOutcomes(
  tx: Tx,
  { workerId, flushNumber }: Flush,
  known: KnownMark,
  columns: AnswerColumns,
): Promise<FencedBatch[]> {
  if (isDistributed(tx)) return await recordOutcomesByCustomer(tx, { workerId, flushNumber }, known, columns);
  const { rows } = await tx.query<FencedBatch>({
    name: "flush-outcomes",
    text: `${ONE_SERVER} select place as "batchIndex", left_state as state, asked_stop as stop from record_answers(${parameters(1, 19)})`,
    values: answerValues({ workerId, flushNumber }, known, columns),
  });
  return rows;
}

type AnswerColumns = { batches: BatchColumns; outcomes: OutcomeColumns };

/** The parameters of `record_answers`. */
function answerValues(
  { workerId, flushNumber }: Flush,
  known: KnownMark,
  { batches, outcomes }: AnswerColumns,
): unknown[] {
  return [
    workerId,
    flushNumber,
    known.epochId,
    known.generation,
    textArray(batches.userIds),
    textArray(batches.messageIds),
    numberArray(batches.batchIndexes),
    numberArray(batches.attempts),
    numberArray(batches.intentCounts),
    textArray(batches.redos),
    numberArray(batches.leaves),
    numberArray(outcomes.batchIndexes),
    numberArray(outcomes.offsets),
    numberArray(outcomes.phoneNos),
    numberArray(outcomes.states),
    numberArray(outcomes.carrierIds),
    numberArray(outcomes.deliveredParts),
    textArray(outcomes.keys),
    textArray(outcomes.errorCodes),
  ];
}

function parameters(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `$${from + index}`).join(", ");
}

/** A flush that is to be recorded as a whole. */
export type WholeFlush = AnswerColumns & {
  parts: PartColumns;
  counts: readonly CountMove[];
  holds: HoldMove[];
  /** For those who follow its messages; empty for most. */
  feed: readonly FeedRowOfFollower[];
};

/** So many parameters `record_flush` has; what followers are told comes behind them. */
const FLUSH_PARAMETERS = 41;

/**
 * Records a flush as a whole, with its counts and units, in one statement that is its own transaction; on one PostgreSQL only.
 *
 * @returns what the customers ask of each batch.
 * @throws Error with the state `SQL_STATE.flushRefused` when not all of it can be recorded: then nothing is. With `SQL_STATE.flushRecorded` when
 *   it is recorded already, after a connection that was lost.
 */
export async function recordFlush(db: Queryable, flush: Flush, known: KnownMark, whole: WholeFlush): Promise<number[]> {
  const { feed } = whole;
  const values = [
    ...answerValues(flush, known, whole),
    ...partValues(whole.parts),
    ...countValues(whole.counts),
    ...readHoldMoves(whole.holds),
  ];
  const recorded = `select record_flush(${parameters(1, FLUSH_PARAMETERS)}) as stops`;
  const { rows } = await db.query<{ stops: number[] }>(
    feed.length === 0
      ? { name: "flush-whole", text: `${ONE_SERVER} ${recorded}`, values }
      : {
          name: "flush-whole-followed",
          // Behind everything that the function locks, and only when it did not refuse.
          text: `${ONE_SERVER} with flushed as materialized (${recorded}), fed as (${insertFeedStatement(FLUSH_PARAMETERS + 1, "flushed, ")})
            select stops from flushed`,
          values: [...values, ...feedValues(feed)],
        },
  );
  return rows[0]?.stops ?? [];
}

/** What a flush writes into the row of a `batch` of which `wanted` says how it is left. */
const SET_BATCH = `
  set intent_count = wanted.intent_count, redo = wanted.redo, is_dirty = false,
    state = case when wanted.leave = ${LEAVE.stays} then batch.state
      when wanted.leave = ${LEAVE.done} then ${batchStates.done}
      when batch.stop = ${batchStops.none} then ${batchStates.ready}
      when batch.stop = ${batchStops.hold} then ${batchStates.held}
      else ${batchStates.cancelled} end,
    lease_owner = case when wanted.leave = ${LEAVE.stays} then batch.lease_owner end`;

/**
 * The same in a cluster: for each customer one statement that fences, on one server, and one that copies the answers there. A statement about
 * several customers would go to every shard, and its parts through the coordinator one after the other. The locks of the first last until
 * COMMIT, so nobody comes in between.
 */
async function recordOutcomesByCustomer(
  tx: Tx,
  flush: Flush,
  known: KnownMark,
  { batches, outcomes }: { batches: BatchColumns; outcomes: OutcomeColumns },
): Promise<FencedBatch[]> {
  if (!(await selectIsOurDatabase(tx, known))) return [];
  await markFlush(tx, flush);
  const fenced: FencedBatch[] = [];
  const places = batches.userIds.map((userId, place) => ({ userId, place }));
  const byCustomer = [...Map.groupBy(places, ({ userId }) => userId)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const answersOf = Map.groupBy(outcomes.batchIndexes.keys(), (index) => outcomes.batchIndexes[index]);
  for (const [userId, own] of byCustomer) {
    const pick = <Value>(column: readonly Value[]): Value[] => own.map(({ place }) => column[place] as Value);
    const { rows } = await tx.query<FencedBatch>({
      name: "flush-fence-of-customer",
      text: FENCE_OF_CUSTOMER,
      values: [
        userId,
        flush.workerId,
        numberArray(own.map(({ place }) => place)),
        textArray(pick(batches.messageIds)),
        numberArray(pick(batches.batchIndexes)),
        numberArray(pick(batches.attempts)),
        numberArray(pick(batches.intentCounts)),
        textArray(pick(batches.redos)),
        numberArray(pick(batches.leaves)),
      ],
    });
    fenced.push(...rows);
    const held = rows.toSorted((one, other) => one.batchIndex - other.batchIndex);
    await insertAnswers(tx, userId, {
      batches,
      outcomes,
      indexes: held.flatMap(({ batchIndex }) => answersOf.get(batchIndex) ?? []),
    });
  }
  return fenced;
}

const FENCE_OF_CUSTOMER = `${ON_CLUSTER}
  with wanted as (
    select place, message_id, batch_index, attempt, intent_count, redo::smallint[] as redo, leave
    from unnest($3::integer[], $4::uuid[], $5::integer[], $6::integer[], $7::smallint[], $8::text[], $9::smallint[])
      as asked (place, message_id, batch_index, attempt, intent_count, redo, leave)
  )
  update message_batch batch
  ${SET_BATCH}
  from wanted
  where batch.user_id = $1 and batch.message_id = wanted.message_id and batch.batch_index = wanted.batch_index
    and batch.state = ${batchStates.leased} and batch.lease_owner = $2 and batch.attempt = wanted.attempt
  returning wanted.place as "batchIndex", batch.state, batch.stop`;

/** Copied to the customer's server as they are: without a table in it the statement is read here and needs no plan there. */
async function insertAnswers(
  tx: Tx,
  userId: string,
  { batches, outcomes, indexes }: { batches: BatchColumns; outcomes: OutcomeColumns; indexes: readonly number[] },
): Promise<void> {
  if (indexes.length === 0) return;
  const pick = <Value>(column: readonly Value[]): Value[] =>
    column.length === 0 ? [] : indexes.map((index) => column[index] as Value);
  await tx.query({
    name: "flush-answers-of-customer",
    text: `${ON_CLUSTER}
      insert into delivery (user_id, message_id, position, phone_no, state, carrier_id, delivered_parts, submitted_at, updated_at, carrier_key, error_code)
      select $1::uuid, ($2::uuid[])[place + 1], ($3::integer[])[place + 1] * ${deliveryLimits.batchRecipientsMax} + place_in_batch, phone_no, state,
        nullif(carrier_id, 0), coalesce(delivered_parts, 0), now(), now(), carrier_key, error_code
      from unnest($4::integer[], $5::integer[], $6::bigint[], $7::smallint[], $8::smallint[], $9::integer[], $10::text[], $11::text[])
        as answer (place, place_in_batch, phone_no, state, carrier_id, delivered_parts, carrier_key, error_code)`,
    values: [
      userId,
      textArray(batches.messageIds),
      numberArray(batches.batchIndexes),
      numberArray(pick(outcomes.batchIndexes)),
      numberArray(pick(outcomes.offsets)),
      numberArray(pick(outcomes.phoneNos)),
      numberArray(pick(outcomes.states)),
      numberArray(pick(outcomes.carrierIds)),
      numberArray(pick(outcomes.deliveredParts)),
      textArray(pick(outcomes.keys)),
      textArray(pick(outcomes.errorCodes)),
    ],
  });
}

export type PartColumns = {
  userIds: string[];
  messageIds: string[];
  positions: number[];
  partIndexes: number[];
  partCounts: number[];
  carrierIds: number[];
  keys: string[];
};

export async function insertParts(tx: Tx, parts: PartColumns): Promise<void> {
  await tx.query({
    name: "flush-parts",
    text: `insert into delivery_part (user_id, message_id, position, part_index, part_count, carrier_id, carrier_key, submitted_at)
      select *, now() from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::smallint[], $5::smallint[], $6::smallint[], $7::text[])`,
    values: partValues(parts),
  });
}

function partValues(parts: PartColumns): string[] {
  return [
    textArray(parts.userIds),
    textArray(parts.messageIds),
    numberArray(parts.positions),
    numberArray(parts.partIndexes),
    numberArray(parts.partCounts),
    numberArray(parts.carrierIds),
    textArray(parts.keys),
  ];
}

export type UnknownColumns = {
  userIds: string[];
  messageIds: string[];
  positions: number[];
  phoneNos: number[];
  senderNames: string[];
  /** The earliest that each may have been handed over, by the clock of a host, which may be ahead of the database's; null for just now. */
  earliestAt: (Date | null)[];
};

/**
 * Remembers what may be settled by a report without a known id; see settle-early-reports.ts. Reports with these numbers that are stored
 * already are due at once.
 */
export async function insertUnknown(tx: Tx, unknown: UnknownColumns, releaseMs: number): Promise<void> {
  await tx.query(
    `insert into delivery_unknown (user_id, message_id, position, phone_no, sender_name, handed_over_at, release_at)
     select user_id, message_id, position, phone_no, sender_name, least(earliest_at, now()), now() + make_interval(secs => $7::double precision / 1000)
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[], $5::text[], $6::timestamptz[])
       as new (user_id, message_id, position, phone_no, sender_name, earliest_at)`,
    [
      textArray(unknown.userIds),
      textArray(unknown.messageIds),
      numberArray(unknown.positions),
      numberArray(unknown.phoneNos),
      textArray(unknown.senderNames),
      unknown.earliestAt,
      releaseMs,
    ],
  );
  await tx.query(
    `update early_report set next_try_at = now() where report_id in (
       select report_id from early_report where phone_no = any ($1::bigint[]) and next_try_at > now() for update skip locked)`,
    [numberArray(unknown.phoneNos)],
  );
}

export type CountMove = { userId: string; messageId: string; moves: Partial<Record<CountColumn, number>> };
export const countColumns = [
  "waiting",
  "sent",
  "delivered",
  "failed",
  "dnd",
  "unknown",
  "cancelled",
  "opted_out",
] as const;
export type CountColumn = (typeof countColumns)[number];

/** Where the recipients of a state are counted. */
export function countColumnOf(state: DeliveryState): CountColumn {
  return state === "optedOut" ? "opted_out" : state;
}

/**
 * Moves the counts of any number of messages, in the order of their ids: two workers that report about the same messages
 * wait for each other and never deadlock.
 */
export async function moveCounts(tx: Tx, moves: CountMove[]): Promise<void> {
  if (isDistributed(tx)) return await moveCountsByCustomer(tx, moves);
  await tx.query({
    name: "flush-counts",
    text: `${ONE_SERVER} select move_message_counts(${parameters(1, 10)})`,
    values: countValues(moves),
  });
}

/** The parameters of `move_message_counts`. */
function countValues(moves: readonly CountMove[]): string[] {
  return [
    textArray(moves.map((move) => move.userId)),
    textArray(moves.map((move) => move.messageId)),
    ...countColumns.map((column) => numberArray(moves.map((move) => move.moves[column] ?? 0))),
  ];
}

/** The same order in a cluster, which locks rows of one customer at a time. */
async function moveCountsByCustomer(tx: Tx, moves: CountMove[]): Promise<void> {
  const byCustomer = [...Map.groupBy(moves, ({ userId }) => userId)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  for (const [userId, own] of byCustomer) {
    await tx.query({
      name: "flush-counts-of-customer",
      text: MOVE_COUNTS_OF_CUSTOMER,
      values: [
        userId,
        textArray(own.map((move) => move.messageId)),
        ...countColumns.map((column) => numberArray(own.map((move) => move.moves[column] ?? 0))),
      ],
    });
  }
}

const MOVE_COUNTS_OF_CUSTOMER = `${ON_CLUSTER}
  with moved as materialized (
    select * from unnest($2::uuid[], ${countColumns.map((_, index) => `$${index + 3}::integer[]`).join(", ")})
      as moved (message_id, ${countColumns.join(", ")})
  ), locked as materialized (
    select message_id from message_count where user_id = $1 and message_id = any ($2::uuid[])
    order by message_id for no key update
  )
  update message_count own
  set ${countColumns.map((column) => `${column} = own.${column} + moved.${column}`).join(", ")}
  from moved join locked using (message_id)
  where own.user_id = $1 and own.message_id = moved.message_id`;

/** A worker's flush, by its own count. A worker's flushes come one after the other, so the last number says it all. */
export type Flush = { workerId: string; flushNumber: number };

/** Part of the transaction of a flush without batches: this number is there exactly when the rest is. */
export async function markFlush(tx: Tx, { workerId, flushNumber }: Flush): Promise<void> {
  await tx.query({
    name: "flush-mark",
    text: "update delivery_worker set flush_number = $2 where worker_id = $1",
    values: [workerId, flushNumber],
  });
}

/**
 * Whether a flush was committed whose COMMIT was not answered. Waits for it when the server is still at it.
 * @returns false also for a worker that was struck off: it then has no batches that a flush could be about.
 */
export async function isFlushCommitted(db: Queryable, { workerId, flushNumber }: Flush): Promise<boolean> {
  const { rows } = await db.query<{ isCommitted: boolean }>(
    `select flush_number = $2 as "isCommitted" from delivery_worker where worker_id = $1 for update`,
    [workerId, flushNumber],
  );
  return rows[0]?.isCommitted ?? false;
}
