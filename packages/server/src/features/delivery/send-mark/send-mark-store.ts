/** All SQL by which a worker knows that the database is the one it has sent from, and what happens when it is not. */
import { ADVISORY_LOCK } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { batchStates, batchStops, messageStateNumbers } from "../states.ts";
import { numberArray } from "../../../db/sql-array.ts";
import type { HandedOver } from "./handed-over.ts";
import { LOCKED_MESSAGE_COLUMNS, type LockedMessage } from "../queue/message-store.ts";

/** What a worker knows of the database that it sends from. */
export type KnownMark = { installationId: string; epochId: string; generation: number };

/** Which server, timeline, database and table answer. */
export type Identity = { systemIdentifier: string; timeline: string; databaseOid: number; tableOid: number };

export type Epoch = KnownMark & Identity & { epochNumber: number; silentMs: number };

/** The timeline that is written to now. The control file would name the new one only after the next checkpoint. */
const TIMELINE = "(select left(pg_walfile_name(pg_current_wal_lsn()), 8))";

/**
 * SQL that is true while the database is the one that a worker knows: same epoch, not older, no other server promoted in its place. Each
 * claim and each flush has it in its statement, because a connection may lead to another server from one transaction to the next.
 *
 * @param epochId and @param generation the parameters' names.
 */
export function isOurDatabase(epochId: string, generation: string): string {
  return `(select exists (
    select 1 from send_epoch where is_current and epoch_id = ${epochId} and generation >= ${generation} and timeline = ${TIMELINE}))`;
}

export async function selectIsOurDatabase(db: Queryable, known: KnownMark): Promise<boolean> {
  const { rows } = await db.query<{ isOurs: boolean }>({
    name: "is-our-database",
    text: `select ${isOurDatabase("$1::uuid", "$2::bigint")} as "isOurs"`,
    values: [known.epochId, known.generation],
  });
  return rows[0]?.isOurs ?? false;
}

/** @returns the new generation; undefined when the database is not the one that is known. */
export async function advanceGeneration(db: Queryable, known: KnownMark): Promise<number | undefined> {
  const { rows } = await db.query<{ generation: number }>({
    name: "next-generation",
    text: `update send_epoch set generation = generation + 1, seen_at = now()
     where is_current and epoch_id = $1 and generation >= $2 and timeline = ${TIMELINE}
       and system_identifier = (select system_identifier::text from pg_control_system())
     returning generation`,
    values: [known.epochId, known.generation],
  });
  return rows[0]?.generation;
}

/** Locks the judgement: workers judge the database one after the other. */
export async function lockJudgement(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK.sendMark]);
}

export async function selectIdentity(tx: Queryable): Promise<Identity> {
  const { rows } = await tx.query<Identity>(
    `select (select system_identifier::text from pg_control_system()) as "systemIdentifier", ${TIMELINE} as timeline,
       (select oid from pg_database where datname = current_database()) as "databaseOid", 'send_epoch'::regclass::oid as "tableOid"`,
  );
  if (rows[0] === undefined) throw new Error("PostgreSQL did not say which server it is");
  return rows[0];
}

export async function selectEpoch(tx: Queryable): Promise<Epoch | undefined> {
  const { rows } = await tx.query<Epoch>(
    `select epoch_number as "epochNumber", epoch_id as "epochId", installation_id as "installationId", generation,
       system_identifier as "systemIdentifier", timeline, database_oid as "databaseOid", table_oid as "tableOid",
       (extract(epoch from now() - seen_at) * 1000)::bigint as "silentMs"
     from send_epoch where is_current`,
  );
  return rows[0];
}

/** Whether the database has had an epoch, now or before. */
export async function hasEpoch(tx: Queryable, epochId: string): Promise<boolean> {
  const { rows } = await tx.query<{ isKnown: boolean }>(
    `select exists (select 1 from send_epoch where epoch_id = $1) as "isKnown"`,
    [epochId],
  );
  return rows[0]?.isKnown ?? false;
}

/** The epoch that begins now takes the place of the current one. */
export async function insertEpoch(
  tx: Queryable,
  epoch: KnownMark & Identity & { reason: string; heldCount: number },
): Promise<void> {
  await tx.query("update send_epoch set is_current = false where is_current");
  await tx.query(
    `insert into send_epoch (epoch_number, epoch_id, installation_id, generation, system_identifier, timeline, database_oid, table_oid,
       began_at, seen_at, reason, held_count, is_current)
     select coalesce(max(epoch_number), 0) + 1, $1, $2, $3, $4, $5, $6, $7, now(), now(), $8, $9, true from send_epoch`,
    [
      epoch.epochId,
      epoch.installationId,
      epoch.generation,
      epoch.systemIdentifier,
      epoch.timeline,
      epoch.databaseOid,
      epoch.tableOid,
      epoch.reason,
      epoch.heldCount,
    ],
  );
}

export async function updateIdentity(tx: Queryable, identity: Identity): Promise<void> {
  await tx.query(
    `update send_epoch set system_identifier = $1, timeline = $2, database_oid = $3, table_oid = $4, seen_at = now() where is_current`,
    [identity.systemIdentifier, identity.timeline, identity.databaseOid, identity.tableOid],
  );
}

/**
 * Holds every message that may have gone out after this state of the database: messages that were being sent or paused and have waiting
 * recipients, and scheduled messages whose time has come. Their batches are marked as a dead worker's, so that intents without a record
 * become unknown when the message is released. Every worker session ends, and with it what the session has in hand.
 *
 * @returns how many messages were held.
 */
export async function holdEverything(tx: Queryable): Promise<number> {
  const locked = await lockOpenMessages(tx);
  const keys = [locked.map(({ userId }) => userId), locked.map(({ messageId }) => messageId)];
  // What is held stands in the history; what was only scheduled did not.
  const added = [...Map.groupBy(locked, ({ userId }) => userId)].map(([userId, messages]) => ({
    userId,
    count: messages.filter(({ isNewInHistory }) => isNewInHistory).length,
  }));
  // A restored back-up of an earlier release has no counts yet.
  const { rows: counts } = await tx.query<{ exists: boolean }>(
    "select to_regclass('customer_count') is not null as exists",
  );
  if (counts[0]?.exists === true)
    await tx.query(
      `update customer_count own set messages = own.messages + added.count
       from unnest($1::uuid[], $2::bigint[]) as added (user_id, count) where own.user_id = added.user_id`,
      [added.map(({ userId }) => userId), added.map(({ count }) => count)],
    );
  await tx.query(
    `update message set held_from = state, held_at = now(), state = ${messageStateNumbers.held}, state_at = now()
     from unnest($1::uuid[], $2::uuid[]) as held (user_id, message_id)
     where message.user_id = held.user_id and message.message_id = held.message_id`,
    keys,
  );
  await tx.query(
    `update message_batch batch set state = ${batchStates.held}, lease_owner = null, stop = ${batchStops.none}, is_dirty = intent_count > 0, waits_for = null
     from unnest($1::uuid[], $2::uuid[]) as held (user_id, message_id)
     where batch.user_id = held.user_id and batch.message_id = held.message_id
       and batch.state in (${batchStates.held}, ${batchStates.ready}, ${batchStates.leased})`,
    keys,
  );
  // Leased batches that are left belong to cancelled messages: the next worker settles what may have gone out, and cancels the rest.
  await tx.query(
    `update message_batch set state = ${batchStates.ready}, lease_owner = null, is_dirty = intent_count > 0 where state = ${batchStates.leased}`,
  );
  await tx.query("delete from delivery_worker");
  return locked.length;
}

/**
 * Tells batches that nobody has leased what was handed over of them: when they are claimed, those recipients become unknown instead of getting the
 * message again.
 *
 * @returns how many batches did not know, and how many are not in this database at all.
 */
export async function writeBackIntents(
  tx: Tx,
  batches: readonly HandedOver[],
): Promise<{ batchCount: number; missingCount: number }> {
  const { rows } = await tx.query<{ batchCount: number; missingCount: number }>(
    `with handed as materialized (
       select user_id, message_id, batch_index, attempt, intent_count, redo::smallint[] as redo
       from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::smallint[], $6::text[])
         as handed (user_id, message_id, batch_index, attempt, intent_count, redo)
     ), raised as (
       update message_batch batch
       set intent_count = greatest(batch.intent_count, handed.intent_count), is_dirty = true, waits_for = null,
         -- What an attempt after ours put back is known better by the database.
         redo = case when batch.attempt <= handed.attempt then handed.redo else batch.redo end
       from handed
       where batch.user_id = handed.user_id and batch.message_id = handed.message_id and batch.batch_index = handed.batch_index
         and batch.state in (${batchStates.held}, ${batchStates.ready})
         and (batch.intent_count < handed.intent_count or (batch.attempt <= handed.attempt and batch.redo <> handed.redo))
       returning batch.batch_index
     )
     select (select count(*)::integer from raised) as "batchCount",
       (select count(*)::integer from handed left join message_batch batch using (user_id, message_id, batch_index)
        where batch.user_id is null) as "missingCount"`,
    [
      batches.map(({ userId }) => userId),
      batches.map(({ messageId }) => messageId),
      batches.map(({ batchIndex }) => batchIndex),
      batches.map(({ attempt }) => attempt),
      batches.map(({ intentCount }) => intentCount),
      batches.map(({ redo }) => numberArray(redo)),
    ],
  );
  return rows[0] ?? { batchCount: 0, missingCount: 0 };
}

type MessageKey = { userId: string; messageId: string };

/** Customer by customer in the order of their ids, because a cluster locks rows of one customer at a time. */
async function lockOpenMessages(tx: Queryable): Promise<(MessageKey & { isNewInHistory: boolean })[]> {
  const isOpen = `(state in (${messageStateNumbers.sending}, ${messageStateNumbers.paused})
    or (state = ${messageStateNumbers.scheduled} and send_at <= now()))`;
  const { rows: open } = await tx.query<MessageKey>(
    `select user_id as "userId", message_id as "messageId" from message
     where (user_id, message_id) in (select user_id, message_id from message_batch where state + 0 < 3) and ${isOpen}
     order by user_id, message_id`,
  );
  const locked: (MessageKey & { isNewInHistory: boolean })[] = [];
  for (const [userId, messages] of Map.groupBy(open, (message) => message.userId)) {
    const { rows } = await tx.query<MessageKey & { isNewInHistory: boolean }>(
      `select user_id as "userId", message_id as "messageId",
         state = ${messageStateNumbers.scheduled} and hidden_at is null as "isNewInHistory"
       from message where user_id = $1 and message_id = any ($2::uuid[]) and ${isOpen} order by message_id for update`,
      [userId, messages.map(({ messageId }) => messageId)],
    );
    locked.push(...rows);
  }
  return locked;
}

/** `heldFrom` is null for a message that was never held. */
export type LockedHeld = LockedMessage & {
  userId: string;
  heldFrom: number | null;
  awaitsApproval: boolean;
  sentBy: string | null;
  reviewNote: string | null;
};

/** Whose a message is, by its id alone; hidden or not. */
export async function findMessageOwner(tx: Tx, messageId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ userId: string }>(
    'select user_id as "userId" from message where message_id = $1 limit 1',
    [messageId],
  );
  return rows[0]?.userId;
}

/** Locks a message's row, so that of two who decide the second waits for the first. */
export async function lockHeldMessage(
  tx: Tx,
  { userId, messageId }: { userId: string; messageId: string },
): Promise<LockedHeld | undefined> {
  const { rows } = await tx.query<LockedHeld>(
    `select user_id as "userId", held_from as "heldFrom", awaits_approval as "awaitsApproval", sent_by as "sentBy",
       review_note as "reviewNote", ${LOCKED_MESSAGE_COLUMNS}
     from message join message_count using (user_id, message_id)
     where message.user_id = $1 and message.message_id = $2
     for update of message`,
    [userId, messageId],
  );
  return rows[0];
}

/** The approver has decided. What an administrator is to look at stays in review. */
export async function updateApproved(
  tx: Tx,
  key: { userId: string; messageId: string },
  decidedBy: string,
): Promise<void> {
  await tx.query("update message set awaits_approval = false, decided_by = $3 where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
    decidedBy,
  ]);
}

/** How many messages wait for an administrator after a restore, and since when the first of them was held. */
export async function countHeldMessages(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*) as count, min(held_at) as "oldestAt" from message where state = ${messageStateNumbers.held}`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** Whether an administrator has something to decide after a restore. */
export async function hasHeldMessages(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ isHeld: boolean }>(
    `select exists (select 1 from message where state = ${messageStateNumbers.held}) as "isHeld"`,
  );
  return rows[0]?.isHeld ?? false;
}
