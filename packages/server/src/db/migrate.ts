import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { ADVISORY_LOCK } from "./advisory.ts";
import { readIsDistributed, SCHEMA_STAYS_HERE } from "./distribution.ts";
import type { Db } from "./pool.ts";
import { isTransactionConflict, SQL_STATE, sqlStateOf } from "./sql-state.ts";

export type Migration = {
  version: number;
  name: string;
  sql: string;
  /** Of the text with `\n` line ends, so that a checkout on another system does not look like a change. */
  sha256: string;
  inTransaction: boolean;
};

/** A fault in the migrations or between them and the database. The message is for the operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../migrations", import.meta.url));

/** How long a starting process waits for another one that is migrating. */
const OTHER_MIGRATOR_TIMEOUT_MS = 10 * 60_000;
const OTHER_MIGRATOR_POLL_MS = 100;
/**
 * A migration that waits for a table lock blocks everybody behind it: it lets them pass, and is run again. Less than PostgreSQL's
 * `deadlock_timeout` of 1 s, so that in a deadlock with the hosts at work the migration is the one that gives way.
 */
const MIGRATION_LOCK_TIMEOUT_MS = 400;
/** Outside a transaction it blocks nobody, and leaves traces when it gives up. */
const LONE_STATEMENT_LOCK_TIMEOUT_MS = 20_000;
/** About a minute: longer than the longest transaction of a host at work, which takes in a message to 1,000,000. */
const LOCK_TRIES_MAX = 60;
const PAUSE_BETWEEN_TRIES_MS = 500;

const FILE_NAME = /^(\d{4})_([a-z0-9]+(?:_[a-z0-9]+)*)\.sql$/;
/**
 * First line of a file that PostgreSQL refuses inside a transaction (`create index concurrently`): one statement only.
 */
const NO_TRANSACTION = /^-- no-transaction\s*\n/;
const ALTER_TABLE = /\balter table (?:if exists )?(?:only )?([a-z_][a-z0-9_]*)/g;

/**
 * Reads the migrations, sorted by version.
 *
 * @throws MigrationError for a `.sql` file that is not named `NNNN_name.sql` and for two files of one version.
 */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const { fileName, version, name } of await listFiles(folder)) {
    const sql = (await readFile(join(folder, fileName), "utf8")).replaceAll("\r\n", "\n");
    const sha256 = createHash("sha256").update(sql).digest("hex");
    migrations.push({ version, name, sql, sha256, inTransaction: !NO_TRANSACTION.test(sql) });
  }
  return migrations;
}

/** The versions alone, which the names of the files say. @throws MigrationError as `readMigrations` does. */
export async function readVersions(): Promise<number[]> {
  return (await listFiles(MIGRATIONS_FOLDER)).map(({ version }) => version);
}

async function listFiles(folder: string): Promise<{ fileName: string; version: number; name: string }[]> {
  const fileNames = (await readdir(folder)).filter((fileName) => fileName.endsWith(".sql")).toSorted();
  let last: { version: number; name: string } | undefined;
  return fileNames.map((fileName) => {
    const [, version, name] = FILE_NAME.exec(fileName) ?? [];
    if (version === undefined || name === undefined) {
      throw new MigrationError(
        `${fileName}: a migration is named NNNN_name.sql, with small letters, digits and underscores`,
      );
    }
    if (last?.version === Number(version))
      throw new MigrationError(`${fileName}: version ${version} is taken by ${last.name}`);
    last = { version: Number(version), name };
    return { fileName, ...last };
  });
}

/**
 * Brings the database to the newest version. Forward only; any number of processes may call it at once.
 *
 * @returns the migrations applied by this call.
 * @throws MigrationError when an applied file has changed, the database is newer than the code, a file was added
 *   below the newest applied version, or a statement failed (that file is then rolled back, earlier ones stay).
 */
export async function migrate(db: Db, folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const migrations = await readMigrations(folder);
  const client = await db.connect();
  try {
    await client.query(`set statement_timeout = 0`);
    await takeMigrationLock(client);
    await keepFromOtherServers(client);
    return await applyPending(client, migrations);
  } finally {
    // Closing the session drops its settings and the advisory lock.
    client.release(true);
  }
}

/**
 * Waits until no other process migrates. It asks again and again instead of waiting in one statement: that has a snapshot for as long as it waits,
 * and `create index concurrently` of the process before waits for every snapshot, so that each would wait for the other.
 *
 * @throws MigrationError after ten minutes.
 */
export async function takeMigrationLock(client: PoolClient): Promise<void> {
  // What follows may wait as long for tables that hosts at work have.
  await client.query(`set lock_timeout = ${OTHER_MIGRATOR_TIMEOUT_MS}`);
  const deadlineMs = performance.now() + OTHER_MIGRATOR_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>(`select pg_try_advisory_lock($1) as "isOurs"`, [
      ADVISORY_LOCK.migrate,
    ]);
    if (rows[0]?.isOurs === true) return;
    if (performance.now() > deadlineMs)
      throw new MigrationError("Another process has been preparing this database for ten minutes");
    await sleep(OTHER_MIGRATOR_POLL_MS);
  }
}

/**
 * Until a database is distributed, its coordinator alone has tables. Citus would copy each view and function to the other servers all the
 * same, and then refuses to replace them.
 */
async function keepFromOtherServers(client: PoolClient): Promise<void> {
  if (!(await readIsDistributed(client))) await client.query(SCHEMA_STAYS_HERE);
}

async function applyPending(client: PoolClient, migrations: Migration[]): Promise<Migration[]> {
  await client.query(`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`);
  const pending = await findPending(client, migrations);
  for (const migration of pending) await apply(client, migration);
  return pending;
}

type AppliedRow = { version: number; name: string; sha256: string };

async function findPending(client: PoolClient, migrations: Migration[]): Promise<Migration[]> {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  const { rows } = await client.query<AppliedRow>(
    `select version, name, sha256 from schema_migration order by version`,
  );
  for (const row of rows) {
    const migration = byVersion.get(row.version);
    if (migration === undefined) {
      throw new MigrationError(
        `The database is newer than this program: it has migration ${fileNameOf(row)}, which is not here. Start the newer version.`,
      );
    }
    if (migration.sha256 !== row.sha256) {
      throw new MigrationError(
        `${fileNameOf(migration)} was changed after it was applied. Restore it, and make the change in a new migration.`,
      );
    }
  }
  const newest = rows.at(-1)?.version ?? -1;
  const appliedVersions = new Set(rows.map((row) => row.version));
  const pending = migrations.filter((migration) => !appliedVersions.has(migration.version));
  const late = pending.find((migration) => migration.version < newest);
  if (late !== undefined) {
    throw new MigrationError(
      `${fileNameOf(late)} comes before migration ${newest}, which is applied already. Give it a new number.`,
    );
  }
  return pending;
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  const triesMax = migration.inTransaction ? LOCK_TRIES_MAX : 1;
  try {
    for (let tries = 1; !(await tryToApply(client, migration, { tries, triesMax })); tries += 1)
      await sleep(PAUSE_BETWEEN_TRIES_MS);
  } catch (error) {
    // The caller throws the session away, which rolls back; the database still holds the earlier migrations only.
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${fileNameOf(migration)}${lineOf(error, migration.sql)}: ${reason}`, { cause: error });
  }
}

/** @returns false when it was in the way of the hosts at work and was rolled back. @throws what else ends it, and that as well on the last try. */
async function tryToApply(
  client: PoolClient,
  migration: Migration,
  { tries, triesMax }: { tries: number; triesMax: number },
): Promise<boolean> {
  try {
    await client.query(
      `set lock_timeout = ${migration.inTransaction ? MIGRATION_LOCK_TIMEOUT_MS : LONE_STATEMENT_LOCK_TIMEOUT_MS}`,
    );
    if (migration.inTransaction) {
      await client.query("begin");
      await lockAlteredTables(client, migration.sql, tries);
    }
    await client.query(migration.sql);
    await client.query(`insert into schema_migration (version, name, sha256) values ($1, $2, $3)`, [
      migration.version,
      migration.name,
      migration.sha256,
    ]);
    if (migration.inTransaction) await client.query("commit");
    return true;
  } catch (error) {
    const wasInTheWay = isTransactionConflict(error) || sqlStateOf(error) === SQL_STATE.lockNotAvailable;
    if (tries === triesMax || !wasInTheWay) throw error;
    await client.query("rollback");
    return false;
  }
}

/**
 * Locks the tables that a migration alters, beginning with another one on each try. Hosts at work lock a user before they write a message: a
 * migration that has the message already and asks for the user meets one of them nearly every time, and each would wait for the other.
 */
async function lockAlteredTables(client: PoolClient, sql: string, tries: number): Promise<void> {
  const names = [...new Set(Array.from(sql.matchAll(ALTER_TABLE), ([, name]) => name))];
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) with ordinality as altered (name, place) where to_regclass(name) is not null order by place`,
    [names],
  );
  const first = (tries - 1) % Math.max(rows.length, 1);
  for (const { name } of [...rows.slice(first), ...rows.slice(0, first)])
    await client.query(`lock table ${name} in access exclusive mode`);
}

function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof Error) || !("position" in error)) return "";
  const position = Number(error.position);
  return Number.isInteger(position) ? `:${sql.slice(0, position).split("\n").length}` : "";
}

function fileNameOf(migration: { version: number; name: string }): string {
  return `${String(migration.version).padStart(4, "0")}_${migration.name}.sql`;
}
