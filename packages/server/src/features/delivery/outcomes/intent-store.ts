/** Intents that are committed beside the flushes. */
import { isDistributed, ONE_SERVER } from "../../../db/distribution.ts";
import type { Db } from "../../../db/pool.ts";
import { numberArray, textArray } from "../../../db/sql-array.ts";
import { isOurDatabase, type KnownMark } from "../send-mark/send-mark-store.ts";
import { batchStates } from "../states.ts";

/** Offsets below `intentCount` may have been handed over, except `redo`. */
export type BatchIntents = {
  userId: string;
  messageId: string;
  batchIndex: number;
  attempt: number;
  intentCount: number;
  redo: readonly number[];
};

type Grantor = { workerId: string; known: KnownMark };

/**
 * Writes further intents of batches that the worker still holds. A statement that comes late, after a connection that was lost, changes nothing: intents only grow.
 *
 * @returns what the customer asks of each batch that was written, by its place; nothing when the database is not the one that the worker knows.
 */
export async function commitIntents(
  db: Db,
  grantor: Grantor,
  batches: readonly BatchIntents[],
): Promise<Map<number, number>> {
  const stops = new Map<number, number>();
  const placed = batches.map((batch, place) => ({ ...batch, place }));
  // In a cluster one server holds all of a customer.
  const groups = isDistributed(db) ? Map.groupBy(placed, ({ userId }) => userId).values() : [placed];
  for (const group of groups) {
    for (const { place, stop } of await updateIntents(db, grantor, group)) stops.set(place, stop);
  }
  return stops;
}

async function updateIntents(
  db: Db,
  { workerId, known }: Grantor,
  batches: readonly (BatchIntents & { place: number })[],
): Promise<{ place: number; stop: number }[]> {
  const { name, text } = isDistributed(db) ? OF_ONE_CUSTOMER : OF_ANY_CUSTOMERS;
  const { rows } = await db.query<{ place: number; stop: number }>({
    name,
    text,
    values: [
      workerId,
      known.epochId,
      known.generation,
      numberArray(batches.map(({ place }) => place)),
      isDistributed(db) ? batches[0]?.userId : textArray(batches.map(({ userId }) => userId)),
      textArray(batches.map(({ messageId }) => messageId)),
      numberArray(batches.map(({ batchIndex }) => batchIndex)),
      numberArray(batches.map(({ attempt }) => attempt)),
      numberArray(batches.map(({ intentCount }) => intentCount)),
      textArray(batches.map(({ redo }) => numberArray(redo))),
    ],
  });
  return rows;
}

/** `is_dirty` stays: what a dead worker left is settled by the flush that records it. */
function updateStatement(userIds: { column: string; isOfBatch: string }): string {
  return `
    with wanted as (
      select place, user_id, message_id, batch_index, attempt, intent_count, redo::smallint[] as redo
      from unnest($4::integer[], ${userIds.column}, $6::uuid[], $7::integer[], $8::integer[], $9::smallint[], $10::text[])
        as asked (place, user_id, message_id, batch_index, attempt, intent_count, redo)
    )
    update message_batch batch
    set intent_count = wanted.intent_count, redo = wanted.redo
    from wanted
    where ${userIds.isOfBatch} and batch.message_id = wanted.message_id and batch.batch_index = wanted.batch_index
      and batch.state = ${batchStates.leased} and batch.lease_owner = $1 and batch.attempt = wanted.attempt
      and batch.intent_count < wanted.intent_count and ${isOurDatabase("$2::uuid", "$3::bigint")}
    returning wanted.place, batch.stop`;
}

const OF_ANY_CUSTOMERS = {
  name: "commit-intents",
  text: `${ONE_SERVER} ${updateStatement({ column: "$5::uuid[]", isOfBatch: "batch.user_id = wanted.user_id" })}`,
};

const OF_ONE_CUSTOMER = {
  name: "commit-intents-of-customer",
  text: updateStatement({ column: "array[$5::uuid]", isOfBatch: "batch.user_id = $5::uuid" }),
};
