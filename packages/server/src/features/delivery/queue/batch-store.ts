/** All SQL with which a worker leases batches and returns them, and which counts them. */
import { isDistributed, ON_CLUSTER, ONE_SERVER } from "../../../db/distribution.ts";
import type { Db, Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { isOurDatabase, type KnownMark } from "../send-mark/send-mark-store.ts";
import { batchStates, messageStateNumbers } from "../states.ts";
import { numberArray } from "../../../db/sql-array.ts";

export type ClaimedRow = {
  userId: string;
  messageId: string;
  batchIndex: number;
  recipients: number[];
  skipped: number[];
  attempt: number;
  turn: number;
  lane: number;
  /** How many intents earlier leases committed. 0 means that no recipient of the batch was handed over. */
  earlierIntentCount: number;
  /** The batch's last worker died, so the outcome of intents without a delivery row is unknown. */
  isDirty: boolean;
  stop: number;
  redo: number[];
  /** Intents that this claim committed. */
  intentCount: number;
  senderName: string;
  body: string;
  /** In place of the body, see `sealed-body.ts`. */
  sealedBody: Buffer | null;
  priceMilli: number;
  holdId: string | null;
  /** Of a merged message, see `MergeValues`. */
  mergeValues: string | null;
  pageCounts: number[] | null;
  pageCount: number;
  /** Who is not handed over by then gets nothing. */
  validUntil: Date | null;
  /** When the message began to be sent, or went on after a pause. */
  startedAt: Date;
  /** Whether anybody is on the customer's list of opt-outs, and the message respects it. */
  hasOptOuts: boolean;
  honoursOptOuts: boolean;
  /** Who is told what becomes of its recipients. */
  followers: number;
  dndOffsets: number[];
};

/** The three lines of the queue: small sends, bulk, and tests, which stand before nobody. */
export type QueueLine = "express" | "bulk" | "test";

const LINE_CONDITIONS: Record<QueueLine, string> = {
  express: "is_express = true",
  bulk: "is_express = false",
  test: "is_express is null",
};

export type Claim = {
  workerId: string;
  line: QueueLine;
  blockedLanes: number[];
  /** Left in the queue, but for what is to be settled of them. */
  quietLanes: number[];
  batchCount: number;
  firstIntents: number;
  mark: Pick<KnownMark, "epochId" | "generation">;
};

/**
 * Leases the ready batches with the lowest turns, and commits the intents of their first recipients in the same statement, so
 * that a small send is on the wire one round trip after a worker noticed it.
 *
 * The order is `turn` alone. With columns of the primary key in it, the planner would walk that key and sort
 * (9,500 instead of 121,000 rows/s).
 *
 * @param claim blockedLanes are left to other workers; firstIntents is how many recipients of a fresh batch may go out at once;
 *   mark identifies the database that the worker knows: nothing is claimed from another one.
 */
export async function claimBatches(db: Db, claim: Claim): Promise<ClaimedRow[]> {
  if (isDistributed(db)) return await claimByCustomer(db, claim);
  const { rows } = await db.query<ClaimedRow>({
    name: `claim-${claim.line}`,
    text: claimStatement(claim.line),
    values: [
      claim.workerId,
      claim.batchCount,
      claim.blockedLanes,
      claim.firstIntents,
      claim.mark.epochId,
      claim.mark.generation,
      claim.quietLanes,
    ],
  });
  return rows;
}

/** What a dead worker left, and what is to be cancelled, is claimed in quiet hours, too: to be settled, not to be sent. */
function leavesQuiet(lanes: string): string {
  return `(lane <> all (${lanes}) or is_dirty or stop <> 0)`;
}

/** @param userId the claimed row's customer: for a cluster a parameter, by which it finds the server. */
const claimedColumns = (
  userId: string,
): string => `claimed.user_id as "userId", claimed.message_id as "messageId", batch_index as "batchIndex", recipients, skipped, attempt,
      turn, lane, earlier_intent_count as "earlierIntentCount", is_dirty as "isDirty", stop, redo, intent_count as "intentCount",
      sender_name as "senderName", body, sealed_body as "sealedBody", price_milli as "priceMilli", hold_id as "holdId", merge_values as "mergeValues", page_counts as "pageCounts", page_count as "pageCount",
      honours_opt_outs as "honoursOptOuts", followers, dnd_offsets as "dndOffsets", valid_until as "validUntil", state_at as "startedAt",
      honours_opt_outs and exists (select 1 from opt_out where opt_out.user_id = ${userId}) as "hasOptOuts"`;

/** @returns the claim's SQL; exported for the test of its plan. */
export function claimStatement(line: QueueLine): string {
  // Virtual time follows what is served. Two claims at once may set it back a little, which costs nobody more than that.
  const moveClock = (clock: string): string =>
    `, (select setval('${clock}', greatest(last_value, (select max(turn) from claimed))) from ${clock})`;
  return `${ONE_SERVER}
    with next as (
      select user_id, message_id, batch_index
      from message_batch
      where state = ${batchStates.ready} and waits_for is null and ${LINE_CONDITIONS[line]} and lane <> all ($3::smallint[])
        and ${leavesQuiet("$7::smallint[]")}
        and ${isOurDatabase("$5::uuid", "$6::bigint")}
      order by turn limit $2
      for update skip locked
    ), claimed as (
      update message_batch batch
      set state = ${batchStates.leased}, lease_owner = $1, attempt = attempt + 1, earlier_intent_count = intent_count,
        intent_count = case when intent_count = 0 then least(recipient_count, $4::integer) else intent_count end
      from next
      where batch.user_id = next.user_id and batch.message_id = next.message_id and batch.batch_index = next.batch_index
      returning batch.*
    )
    select ${claimedColumns("claimed.user_id")}${line === "test" ? "" : moveClock(`${line}_turn`)}
    from claimed join message on message.user_id = claimed.user_id and message.message_id = claimed.message_id
    order by turn`;
}

/** Other workers look at the same head of the queue; with as many more to choose from two of them do not go away with half of it each. */
const CANDIDATES_PER_BATCH = 2;

/**
 * The same in a cluster, which locks rows of one customer at a time: one look over all customers without locks, then the leases customer
 * by customer. A batch that another worker took meanwhile is passed over.
 */
async function claimByCustomer(db: Db, claim: Claim): Promise<ClaimedRow[]> {
  return await withTransaction(db, async (tx) => {
    const candidates = await selectCandidates(tx, claim);
    const claimed: ClaimedRow[] = [];
    // The lowest turns first, whosesoever they are; those behind them only for what another worker has taken.
    while (claimed.length < claim.batchCount && candidates.length > 0) {
      const next = candidates.splice(0, claim.batchCount - claimed.length);
      for (const [userId, batches] of Map.groupBy(next, (batch) => batch.userId))
        claimed.push(...(await leaseOfCustomer(tx, claim, { userId, batches })));
    }
    if (claimed.length === 0) return [];
    const clock = `${claim.line}_turn`;
    if (claim.line !== "test")
      await tx.query(`${ON_CLUSTER} select setval('${clock}', greatest(last_value, $1::bigint)) from ${clock}`, [
        Math.max(...claimed.map(({ turn }) => turn)),
      ]);
    // Of one turn the older message first: the servers' answers come in any order.
    return claimed.toSorted((one, other) => one.turn - other.turn || (one.messageId < other.messageId ? -1 : 1));
  });
}

type Candidate = { userId: string; messageId: string; batchIndex: number };

async function selectCandidates(tx: Tx, claim: Claim): Promise<Candidate[]> {
  const { rows: ours } = await tx.query<{ isOurs: boolean }>({
    name: "claim-is-ours",
    text: `select ${isOurDatabase("$1::uuid", "$2::bigint")} as "isOurs"`,
    values: [claim.mark.epochId, claim.mark.generation],
  });
  if (ours[0]?.isOurs !== true) return [];
  const { rows } = await tx.query<Candidate>({
    name: `claim-look-${claim.line}`,
    text: `${ON_CLUSTER} select user_id as "userId", message_id as "messageId", batch_index as "batchIndex" from message_batch
      where state = ${batchStates.ready} and waits_for is null and ${LINE_CONDITIONS[claim.line]} and lane <> all ($1::smallint[])
        and ${leavesQuiet("$3::smallint[]")}
      order by turn, message_id limit $2`,
    values: [claim.blockedLanes, claim.batchCount * CANDIDATES_PER_BATCH, claim.quietLanes],
  });
  return rows;
}

async function leaseOfCustomer(
  tx: Tx,
  claim: Claim,
  { userId, batches }: { userId: string; batches: readonly Candidate[] },
): Promise<ClaimedRow[]> {
  const { rows } = await tx.query<ClaimedRow>({
    name: "claim-of-customer",
    text: `${ON_CLUSTER}
      with next as (
        select message_id, batch_index from message_batch
        where user_id = $1 and (message_id, batch_index) in (select * from unnest($2::uuid[], $3::integer[])) and state = ${batchStates.ready}
        order by turn for update skip locked
      ), claimed as (
        update message_batch batch
        set state = ${batchStates.leased}, lease_owner = $4, attempt = attempt + 1, earlier_intent_count = intent_count,
          intent_count = case when intent_count = 0 then least(recipient_count, $5::integer) else intent_count end
        from next where batch.user_id = $1 and batch.message_id = next.message_id and batch.batch_index = next.batch_index
        returning batch.*
      )
      select ${claimedColumns("$1")}
      from claimed join message on message.user_id = claimed.user_id and message.message_id = claimed.message_id
      where message.user_id = $1 and claimed.user_id = $1`,
    values: [
      userId,
      batches.map(({ messageId }) => messageId),
      batches.map(({ batchIndex }) => batchIndex),
      claim.workerId,
      claim.firstIntents,
    ],
  });
  return rows;
}

/** Positions of a batch that have a delivery row. */
export async function selectRecordedOffsets(
  db: Queryable,
  batch: { userId: string; messageId: string; firstPosition: number },
): Promise<number[]> {
  const { rows } = await db.query<{ offset: number }>(
    `select position - $3 as offset from delivery
     where user_id = $1 and message_id = $2 and position >= $3 and position < $3 + ${deliveryLimits.batchRecipientsMax}`,
    [batch.userId, batch.messageId, batch.firstPosition],
  );
  return rows.map((row) => row.offset);
}

/** `stop` is not 0 when the customer pauses or cancels the message. */
export type LeaseRow = { userId: string; messageId: string; batchIndex: number; attempt: number; stop: number };

/** The batches that the database says a worker has leased. */
export async function selectLeases(db: Queryable, workerId: string): Promise<LeaseRow[]> {
  const { rows } = await db.query<LeaseRow>(
    `select user_id as "userId", message_id as "messageId", batch_index as "batchIndex", attempt, stop from message_batch where state = ${batchStates.leased} and lease_owner = $1`,
    [workerId],
  );
  return rows;
}

/** Returns batches to the queue as they were before the lease. No recipient of them was handed over. */
export async function undoLeases(db: Queryable, workerId: string, leases: readonly LeaseRow[]): Promise<void> {
  for (const [userId, own] of Map.groupBy(leases, (row) => row.userId))
    await db.query(
      `update message_batch batch set state = ${batchStates.ready}, lease_owner = null, intent_count = earlier_intent_count
       from unnest($3::uuid[], $4::integer[], $5::integer[]) as undone (message_id, batch_index, attempt)
       where batch.user_id = $2 and batch.message_id = undone.message_id and batch.batch_index = undone.batch_index
         and batch.attempt = undone.attempt and batch.state = ${batchStates.leased} and batch.lease_owner = $1`,
      [
        workerId,
        userId,
        own.map((row) => row.messageId),
        own.map((row) => row.batchIndex),
        own.map((row) => row.attempt),
      ],
    );
}

/** A batch that waits beside the queue until one of the carriers can be used. */
export type WaitingBatch = { userId: string; messageId: string; batchIndex: number; carrierIds: readonly number[] };

/** Batches that this transaction has given back wait for carriers, those that its customer did not stop meanwhile. */
export async function letWait(tx: Tx, batches: readonly WaitingBatch[]): Promise<void> {
  // A cluster reads a list of carriers from a parameter, but not from a column. Batches of one customer mostly wait for the same ones.
  const alike = Map.groupBy(batches, ({ userId, carrierIds }) => `${userId} ${numberArray(carrierIds)}`);
  for (const own of alike.values())
    await tx.query(
      `update message_batch batch set waits_for = $4::smallint[]
       from unnest($2::uuid[], $3::integer[]) as waiting (message_id, batch_index)
       where batch.user_id = $1 and batch.message_id = waiting.message_id and batch.batch_index = waiting.batch_index
         and batch.state = ${batchStates.ready}`,
      [
        own[0]?.userId,
        own.map(({ messageId }) => messageId),
        own.map(({ batchIndex }) => batchIndex),
        own[0]?.carrierIds,
      ],
    );
}

/** Batches that one look puts back; the next look is a second later. */
const BACK_MAX = 10_000;

/**
 * Puts batches back into the queue that wait for one of the carriers. A batch that somebody has locked comes with a later look.
 *
 * @param carrierIds of the carriers that can be used; `all` after a change of carriers, by which any batch may have got another way.
 * @returns how many there were.
 */
export async function endWaiting(db: Queryable, carrierIds: readonly number[] | "all"): Promise<number> {
  const isDue = carrierIds === "all" ? "waits_for is not null" : "waits_for && $1::smallint[]";
  const { rowCount } = await db.query(
    isDistributed(db)
      ? `${ON_CLUSTER} update message_batch set waits_for = null where ${isDue}`
      : `${ONE_SERVER} update message_batch batch set waits_for = null
         from (select user_id, message_id, batch_index from message_batch where ${isDue} order by turn limit ${BACK_MAX} for no key update skip locked) as due
         where batch.user_id = due.user_id and batch.message_id = due.message_id and batch.batch_index = due.batch_index`,
    carrierIds === "all" ? [] : [[...carrierIds]],
  );
  return rowCount ?? 0;
}

/** Pauses a message whose outcomes this program repeatedly fails to record. Resuming the message tries again. */
export async function quarantineMessage(
  tx: Tx,
  lease: { workerId: string; userId: string; messageId: string },
): Promise<void> {
  await tx.query(
    `update message set state = ${messageStateNumbers.paused}, state_at = now() where user_id = $1 and message_id = $2 and state = ${messageStateNumbers.sending}`,
    [lease.userId, lease.messageId],
  );
  await tx.query(
    `update message_batch
     set state = ${batchStates.held}, lease_owner = null, is_dirty = is_dirty or (state = ${batchStates.leased} and intent_count > 0)
     where user_id = $2 and message_id = $3 and (state = ${batchStates.ready} or (state = ${batchStates.leased} and lease_owner = $1))`,
    [lease.workerId, lease.userId, lease.messageId],
  );
}

/**
 * How many recipients of started messages wait, tests left out: those of messages with a batch that is ready or in a worker's hands. It walks
 * the partial indexes of open batches, and reads one row for each message that they are of.
 */
export async function countWaitingRecipients(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with open_message as materialized (
       select user_id, message_id from message_batch where state = ${batchStates.ready} and is_express is not null
       union
       select user_id, message_id from message_batch where state = ${batchStates.leased} and is_express is not null
     )
     select coalesce(sum(waiting), 0)::bigint as count from open_message join message_count using (user_id, message_id)`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Counts the live batches that wait for a worker and those that one has leased. Both counts walk partial indexes that hold only
 * open batches.
 */
export async function readQueueDepth(db: Queryable): Promise<{ readyCount: number; leasedCount: number }> {
  const { rows } = await db.query<{ readyCount: number; leasedCount: number }>(
    `select (select count(*) from message_batch where state = ${batchStates.ready} and is_express is not null) as "readyCount",
            (select count(*) from message_batch where state = ${batchStates.leased} and is_express is not null) as "leasedCount"`,
  );
  return rows[0] ?? { readyCount: 0, leasedCount: 0 };
}

/**
 * When the message that began first, of those that have a batch without a worker, began; undefined when there is none.
 *
 * @param closedLanes lanes whose messages wait for quiet hours to end.
 */
export async function findOldestQueued(db: Queryable, closedLanes: readonly number[]): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date | null }>(
    `with open_message as materialized (
       select distinct user_id, message_id from message_batch
       where state = ${batchStates.ready} and is_express is not null and lane <> all ($1::smallint[])
     )
     select min(state_at) as since from open_message join message using (user_id, message_id)`,
    [closedLanes],
  );
  return rows[0]?.since ?? undefined;
}
