/** All SQL of back-up and restore. Table and column names come from PostgreSQL's catalog, or are checked against it, and are quoted. */
import { escapeIdentifier } from "pg";
import type { Queryable } from "../db/pool.ts";
import { ERASED_CONTENT_TYPE } from "../files/index.ts";

export type Table = { name: string; columns: string[] };
export type Sequence = { name: string; lastValue: string; isCalled: boolean };
export type Partition = { name: string; parent: "delivery" | "delivery_part"; bound: string };
export type AppliedMigration = { version: number; name: string; sha256: string };
/** `mode` is PostgreSQL's tgenabled: O (origin), A (always), R (replica). */
export type Trigger = { table: string; name: string; mode: string };
export type ForeignKey = { table: string; name: string; definition: string };

/** Lists tables with their columns, without computed columns. A partition belongs to its parent. Unlogged tables are left out. */
export async function selectTables(db: Queryable): Promise<Table[]> {
  const { rows } = await db.query<Table>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
       and relname <> 'schema_migration'
     group by relname order by relname`,
  );
  return rows;
}

export async function selectSequences(db: Queryable): Promise<Sequence[]> {
  const { rows: names } = await db.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname",
  );
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const { rows } = await db.query<Omit<Sequence, "name">>(
      `select last_value::text as "lastValue", is_called as "isCalled" from public.${escapeIdentifier(name)}`,
    );
    if (rows[0] !== undefined) sequences.push({ name, ...rows[0] });
  }
  return sequences;
}

export async function setSequence(db: Queryable, { name, lastValue, isCalled }: Sequence): Promise<void> {
  await db.query("select setval($1::regclass, $2::bigint, $3)", [
    `public.${escapeIdentifier(name)}`,
    lastValue,
    isCalled,
  ]);
}

export async function selectPartitions(db: Queryable): Promise<Partition[]> {
  const { rows } = await db.query<Partition>(
    `select part.relname as name, parent.relname as parent, pg_get_expr(part.relpartbound, part.oid) as bound
     from pg_class part join pg_inherits on inhrelid = part.oid join pg_class parent on parent.oid = inhparent
     where part.relnamespace = 'public'::regnamespace and part.relispartition and part.relkind = 'r' order by part.relname`,
  );
  return rows;
}

export async function selectApplied(db: Queryable): Promise<AppliedMigration[]> {
  const { rows } = await db.query<AppliedMigration>(
    "select version, name, sha256 from public.schema_migration order by version",
  );
  return rows;
}

/** Whether the database holds anything that a restore would mix with. */
export async function isEmptyDatabase(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ isEmpty: boolean }>(
    `select not exists (select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')) as "isEmpty"`,
  );
  return rows[0]?.isEmpty === true;
}

/** Call this only for a database that was empty before. */
export async function emptyDatabase(db: Queryable): Promise<void> {
  await db.query("drop schema if exists pgboss cascade; drop schema public cascade; create schema public");
}

export async function selectForeignKeys(db: Queryable): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`,
  );
  return rows;
}

export async function dropForeignKey(db: Queryable, { table, name }: ForeignKey): Promise<void> {
  await db.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`);
}

/** Adds a foreign key, which checks every restored row. A violation fails the whole restore. */
export async function addForeignKey(db: Queryable, { table, name, definition }: ForeignKey): Promise<void> {
  await db.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`);
}

export async function selectTriggers(db: Queryable): Promise<Trigger[]> {
  const { rows } = await db.query<Trigger>(
    `select tgrelid::regclass::text as table, tgname as name, tgenabled::text as mode from pg_trigger
     join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and tgparentid = 0 and tgenabled <> 'D' and relnamespace = 'public'::regnamespace order by 1, 2`,
  );
  return rows;
}

/** Disables a trigger: the back-up holds the rows that it wrote. */
export async function disableTrigger(db: Queryable, { table, name }: Trigger): Promise<void> {
  await db.query(`alter table ${table} disable trigger ${escapeIdentifier(name)}`);
}

export async function enableTrigger(db: Queryable, { table, name, mode }: Trigger): Promise<void> {
  const word = { A: "always ", R: "replica " }[mode] ?? "";
  await db.query(`alter table ${table} enable ${word}trigger ${escapeIdentifier(name)}`);
}

export async function createPartition(db: Queryable, { name, parent, bound }: Partition): Promise<void> {
  // The fill factor is the one that workers use: the report of a delivery then updates the row on its own page.
  const fillPercent = parent === "delivery" ? 50 : 100;
  await db.query(
    `create table if not exists public.${escapeIdentifier(name)} partition of public.${escapeIdentifier(parent)} ${bound} with (fillfactor = ${fillPercent})`,
  );
}

/** Deletes the rows that migrations inserted: the back-up holds them as they were. */
export async function clearTables(db: Queryable, tables: readonly Table[]): Promise<void> {
  await db.query(`truncate ${tables.map(({ name }) => `public.${escapeIdentifier(name)}`).join(", ")}`);
}

/** Deletes sessions, open links and codes, and the processes of that time: a restore must not revive them. */
export async function endWhatWasOpen(db: Queryable): Promise<void> {
  await db.query("delete from session");
  await db.query("delete from one_time_token");
  await db.query("delete from process_heartbeat");
}

export async function selectWaitingMails(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ mailId: string }>(
    `select mail_id as "mailId" from mail where sent_at is null and given_up_at is null`,
  );
  return rows.map(({ mailId }) => mailId);
}

export type KeptFile = { fileId: string; extension: string; contentType: string };

/**
 * Lists the files whose bytes are certain to exist: the product writes a file before it marks the row as kept. Exports are left out, which
 * customers ask for anew, and receipts of erased accounts, which are gone.
 */
export async function selectKeptFiles(db: Queryable): Promise<KeptFile[]> {
  const { rows } = await db.query<KeptFile>(
    `select file_id as "fileId", extension, content_type as "contentType" from stored_file
     where kept_at is not null and extension <> 'zip' and content_type <> $1 order by created_at`,
    [ERASED_CONTENT_TYPE],
  );
  return rows;
}

export function copyOut({ name, columns }: Table): string {
  return `copy (select ${columns.map((column) => escapeIdentifier(column)).join(", ")} from public.${escapeIdentifier(name)}) to stdout`;
}

export function copyIn({ name, columns }: Table): string {
  return `copy public.${escapeIdentifier(name)} (${columns.map((column) => escapeIdentifier(column)).join(", ")}) from stdin`;
}

/** A back-up is whole. */
export async function noteBackup(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `insert into backup_state (watched_since, made_at) values ($1, $1)
     on conflict (is_only) do update set made_at = greatest(backup_state.made_at, excluded.made_at)`,
    [now],
  );
}

/** When the last back-up was made; before the first one, when somebody first asked. */
export async function readLastBackup(db: Queryable, now: Date): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>(
    `insert into backup_state (watched_since) values ($1)
     on conflict (is_only) do update set watched_since = backup_state.watched_since
     returning coalesce(made_at, watched_since) as at`,
    [now],
  );
  return rows[0]?.at ?? now;
}
