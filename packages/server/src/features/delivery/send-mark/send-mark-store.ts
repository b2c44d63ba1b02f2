/** All SQL by which a worker knows that the database is the one it has sent from, and what happens when it is not. */
import { ADVISORY_LOCK } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { batchStates, batchStops, messageStateNumbers } from "../states.ts";

/** What a worker knows of the database that it sends from. */
export type KnownMark = { installationId: string; epochId: string; generation: number };

/** Which server, timeline, database and table answer. */
export type Identity = { systemIdentifier: string; timeline: string; databaseOid: number; tableOid: number };

export type Epoch = KnownMark & Identity & { epochNumber: number; silentMs: number };

/** The timeline that is written to now. The control file would name the new one only after the next checkpoint. */
const TIMELINE = "(select left(pg_walfile_name(pg_current_wal_lsn()), 8))";

/**
 * True while the database is the one that a worker knows: same epoch, not older, no other server promoted in its place. Part of
 * each claim, and asked by each flush, because a connection may lead to another server from one statement to the next.
 *
 * @param epochId and @param generation the parameters' names.
 */
export function isOurDatabase(epochId: string, generation: string): string {
  return `(select exists (
    select from send_epoch where is_current and epoch_id = ${epochId} and generation >= ${generation} and timeline = ${TIMELINE}))`;
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
  const { rows } = await db.query<{ generation: number }>(
    `update send_epoch set generation = generation + 1, seen_at = now()
     where is_current and epoch_id = $1 and generation >= $2 and timeline = ${TIMELINE}
       and system_identifier = (select system_identifier::text from pg_control_system())
     returning generation`,
    [known.epochId, known.generation],
  );
  return rows[0]?.generation;
}

/** One worker judges at a time. */
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

/** Whether an epoch is one of this database's, current or past. */
export async function hasEpoch(tx: Queryable, epochId: string): Promise<boolean> {
  const { rows } = await tx.query<{ isKnown: boolean }>(
    `select exists (select from send_epoch where epoch_id = $1) as "isKnown"`,
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

/**
 * Holds every message that may have gone out since this database was left: whoever waits in a message that was being sent or
 * paused, and scheduled ones whose time has come. All intents count as made by a worker that died, so that those without a record
 * become unknown when the message is released; and every worker session ends, and with it what it has in hand.
 *
 * @returns how many messages were held.
 */
export async function holdEverything(tx: Queryable): Promise<number> {
  const { rows: locked } = await tx.query<{ user_id: string; message_id: string }>(
    `select message.user_id, message.message_id from message
     where (user_id, message_id) in (select user_id, message_id from message_batch where state + 0 < 3)
       and (state in (${messageStateNumbers.sending}, ${messageStateNumbers.paused})
         or (state = ${messageStateNumbers.scheduled} and send_at <= now()))
     order by user_id, message_id for update`,
  );
  const keys = [locked.map((row) => row.user_id), locked.map((row) => row.message_id)];
  await tx.query(
    `update message set held_from = state, held_at = now(), state = ${messageStateNumbers.held}, state_at = now()
     from unnest($1::uuid[], $2::uuid[]) as held (user_id, message_id)
     where message.user_id = held.user_id and message.message_id = held.message_id`,
    keys,
  );
  await tx.query(
    `update message_batch batch set state = ${batchStates.held}, lease_owner = null, stop = ${batchStops.none}, is_dirty = intent_count > 0
     from unnest($1::uuid[], $2::uuid[]) as held (user_id, message_id)
     where batch.user_id = held.user_id and batch.message_id = held.message_id
       and batch.state in (${batchStates.held}, ${batchStates.ready}, ${batchStates.leased})`,
    keys,
  );
  // What is left was cancelled: whoever takes it settles what may have gone out, and cancels the rest.
  await tx.query(
    `update message_batch set state = ${batchStates.ready}, lease_owner = null, is_dirty = intent_count > 0 where state = ${batchStates.leased}`,
  );
  await tx.query("delete from delivery_worker");
  return locked.length;
}
