/** All SQL by which a worker takes batches and gives them back, and how many there are. */
import type { Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import type { Tx } from "../../../db/transaction.ts";
import { isOurDatabase, type KnownMark } from "../send-mark/send-mark-store.ts";
import { batchStates, messageStateNumbers } from "../states.ts";

export type ClaimedRow = {
  userId: string;
  messageId: string;
  batchIndex: number;
  recipients: number[];
  skipped: number[];
  attempt: number;
  turn: number;
  lane: number;
  /** Intents that earlier leases committed; 0 when nothing of it was ever handed over. */
  earlierIntentCount: number;
  /** Its last worker died: intents without a delivery row are of unknown fate. */
  isDirty: boolean;
  stop: number;
  redo: number[];
  /** Intents committed by this claim. */
  intentCount: number;
  senderName: string;
  body: string;
  priceMilli: number;
  holdId: string | null;
};

/**
 * Leases the ready batches whose turn it is, and commits the intents of their first recipients in the same statement:
 * a small send is on the wire one round trip after it was noticed.
 *
 * The order is by `turn` alone, which is not a prefix of the primary key; with that the planner prefers the primary key
 * and sorts (121,000 -> 9,500 rows/s).
 *
 * @param claim blockedLanes are left to others; firstIntents is how many recipients of a fresh batch may go out at once;
 *   mark is what the worker knows of the database: nothing is claimed from another one.
 */
export async function claimBatches(
  db: Queryable,
  claim: {
    workerId: string;
    isExpress: boolean;
    blockedLanes: number[];
    batchCount: number;
    firstIntents: number;
    mark: Pick<KnownMark, "epochId" | "generation">;
  },
): Promise<ClaimedRow[]> {
  const { rows } = await db.query<ClaimedRow>({
    name: claim.isExpress ? "claim-express" : "claim-bulk",
    text: claimStatement(claim.isExpress),
    values: [
      claim.workerId,
      claim.batchCount,
      claim.blockedLanes,
      claim.firstIntents,
      claim.mark.epochId,
      claim.mark.generation,
    ],
  });
  return rows;
}

/** @returns the claim's SQL; exported for the test of its plan. */
export function claimStatement(isExpress: boolean): string {
  const clock = isExpress ? "express_turn" : "bulk_turn";
  return `
    with next as (
      select user_id, message_id, batch_index
      from message_batch
      where state = ${batchStates.ready} and is_express = ${isExpress} and lane <> all ($3::smallint[])
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
    select claimed.user_id as "userId", claimed.message_id as "messageId", batch_index as "batchIndex", recipients, skipped, attempt, turn, lane,
      earlier_intent_count as "earlierIntentCount", is_dirty as "isDirty", stop, redo, intent_count as "intentCount",
      sender_name as "senderName", body, price_milli as "priceMilli", hold_id as "holdId",
      -- Virtual time follows what is served. Two claims at once may set it back a little, which costs nobody more than that.
      (select setval('${clock}', greatest(last_value, (select max(turn) from claimed))) from ${clock})
    from claimed join message on message.user_id = claimed.user_id and message.message_id = claimed.message_id
    order by turn`;
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

/** `stop` is not 0 when its customer wants it back. */
export type LeaseRow = { userId: string; messageId: string; batchIndex: number; attempt: number; stop: number };

/** All batches that a worker has, as the database sees it. */
export async function selectLeases(db: Queryable, workerId: string): Promise<LeaseRow[]> {
  const { rows } = await db.query<LeaseRow>(
    `select user_id as "userId", message_id as "messageId", batch_index as "batchIndex", attempt, stop from message_batch where state = ${batchStates.leased} and lease_owner = $1`,
    [workerId],
  );
  return rows;
}

/** Puts leases back into the queue as if they had never been: nothing of them was handed over. */
export async function undoLeases(db: Queryable, workerId: string, leases: readonly LeaseRow[]): Promise<void> {
  await db.query(
    `update message_batch batch set state = ${batchStates.ready}, lease_owner = null, intent_count = earlier_intent_count
     from unnest($2::uuid[], $3::uuid[], $4::integer[], $5::integer[]) as undone (user_id, message_id, batch_index, attempt)
     where batch.user_id = undone.user_id and batch.message_id = undone.message_id and batch.batch_index = undone.batch_index
       and batch.attempt = undone.attempt and batch.state = ${batchStates.leased} and batch.lease_owner = $1`,
    [
      workerId,
      leases.map((row) => row.userId),
      leases.map((row) => row.messageId),
      leases.map((row) => row.batchIndex),
      leases.map((row) => row.attempt),
    ],
  );
}

/** Pauses a message after a fault of ours that would come again; resuming it tries once more. */
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
 * How many batches wait for a worker, and how many are in one's hands. Both counts walk partial indexes that hold open
 * batches alone.
 */
export async function readQueueDepth(db: Queryable): Promise<{ readyCount: number; leasedCount: number }> {
  const { rows } = await db.query<{ readyCount: number; leasedCount: number }>(
    `select (select count(*) from message_batch where state = ${batchStates.ready}) as "readyCount",
            (select count(*) from message_batch where state = ${batchStates.leased}) as "leasedCount"`,
  );
  return rows[0] ?? { readyCount: 0, leasedCount: 0 };
}
