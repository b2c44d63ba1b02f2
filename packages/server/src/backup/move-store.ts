/** All SQL of a move that a restore has no use for. */
import { escapeIdentifier, escapeLiteral } from "pg";
import { ADVISORY_LOCK } from "../db/advisory.ts";
import { ONE_SERVER } from "../db/distribution.ts";
import type { Queryable } from "../db/pool.ts";
import { BOSS_SCHEMA } from "../jobs/open-jobs.ts";
import type { Table } from "./backup-store.ts";

export async function tryMoveLock(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ isOurs: boolean }>(`select pg_try_advisory_lock($1) as "isOurs"`, [
    ADVISORY_LOCK.move,
  ]);
  return rows[0]?.isOurs === true;
}

/** Names of the other sessions in this database. PostgreSQL's own workers have no user. */
export async function selectOtherSessions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), 'a session without a name') as name from pg_stat_activity
     where datname = current_database() and usesysid is not null and pid <> pg_backend_pid() order by name`,
  );
  return rows.map(({ name }) => name);
}

/** Holds for sessions that begin from now on. Call it outside of a transaction. */
export async function setReadOnly(db: Queryable, isReadOnly: boolean): Promise<void> {
  const { rows } = await db.query<{ name: string }>("select current_database() as name");
  const database = `database ${escapeIdentifier(rows[0]?.name ?? "")}`;
  // This session may itself have begun after it was set.
  await db.query("set default_transaction_read_only = off");
  await db.query(
    isReadOnly
      ? `alter ${database} set default_transaction_read_only = on`
      : `alter ${database} reset default_transaction_read_only`,
  );
}

export type TargetFacts = {
  versionNumber: number;
  version: string;
  isStandby: boolean;
  isUtf8: boolean;
  hasTrigrams: boolean;
  isOwner: boolean;
  role: string;
};

export async function selectTargetFacts(db: Queryable): Promise<TargetFacts | undefined> {
  const { rows } = await db.query<TargetFacts>(
    `select current_setting('server_version_num')::integer as "versionNumber", current_setting('server_version') as version,
       pg_is_in_recovery() as "isStandby", current_setting('server_encoding') = 'UTF8' as "isUtf8",
       exists (select 1 from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams",
       pg_has_role(current_user, (select datdba from pg_database where datname = current_database()), 'member') as "isOwner",
       current_user::text as role`,
  );
  return rows[0];
}

/** The note is on the schema, as that is the one thing of a target that is there before any table. */
export async function readMoveNote(db: Queryable): Promise<MoveNote | undefined> {
  const { rows } = await db.query<{ note: string | null }>(
    `select obj_description(to_regnamespace('public'), 'pg_namespace') as note`,
  );
  const [, state, moveId] = NOTE_FORM.exec(rows[0]?.note ?? "") ?? [];
  return state === undefined || moveId === undefined ? undefined : { moveId, isWhole: state === "has ended" };
}

const NOTE_FORM = /^npm run move (has begun|has ended) ([0-9a-f-]{36})$/;
export type MoveNote = { moveId: string; isWhole: boolean };

export async function writeMoveNote(db: Queryable, note: MoveNote | undefined): Promise<void> {
  const text =
    note === undefined
      ? "null"
      : escapeLiteral(`npm run move ${note.isWhole ? "has ended" : "has begun"} ${note.moveId}`);
  await db.query(`comment on schema public is ${text}`);
}

/** So that the same value has the same words on both sides, whatever the servers' settings are. */
export async function setWords(db: Queryable): Promise<void> {
  await db.query(
    "set datestyle = 'ISO, MDY'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1",
  );
}

export type Digest = { rowCount: number; digest: string };

/** How many rows a table has, and a sum over what stands in them, which no order changes. */
export async function digestTable(db: Queryable, { name, columns }: Table): Promise<Digest> {
  const row = columns.map((column) => escapeIdentifier(column)).join(", ");
  const { rows } = await db.query<Digest>(
    `${ONE_SERVER} select count(*) as "rowCount", coalesce(sum(hashtextextended(row(${row})::text, 0)::numeric), 0)::text as digest from public.${escapeIdentifier(name)}`,
  );
  if (rows[0] === undefined) throw new Error(`PostgreSQL did not count ${name}`);
  return rows[0];
}

export type WaitingJob = { name: string; data: Record<string, string> | null; delayMs: number };

/** Jobs that are still to be done, those under way as well: a job may run twice. */
export async function selectWaitingJobs(db: Queryable, names: readonly string[]): Promise<WaitingJob[]> {
  const { rows } = await db.query<WaitingJob>(
    `${ONE_SERVER} select name, data, greatest(0, extract(epoch from start_after - now()) * 1000)::bigint as "delayMs"
     from ${BOSS_SCHEMA}.job where state in ('created', 'retry', 'active') and name = any ($1) order by created_on`,
    [names],
  );
  return rows;
}

/** Without it the first statements on a large database would be planned as if it were empty. */
export async function analyze(db: Queryable): Promise<void> {
  await db.query("analyze");
}

/** @throws Error for the operator when a move into this database has begun and not ended: the next run of it empties the database. */
export async function refuseHalfMoved(db: Queryable): Promise<void> {
  if ((await readMoveNote(db))?.isWhole === false)
    throw new Error(
      'A move into this database was interrupted: run "npm run move" again, and start Ewebal when it has ended.',
    );
}
