import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { expect, test as base } from "../testing/database.ts";
import type { Migration } from "./migrate.ts";
import { MIGRATIONS_FOLDER, MigrationError, migrate, readMigrations } from "./migrate.ts";
import type { Db } from "./pool.ts";
import { createPool } from "./pool.ts";

type Fixtures = { folder: string; write: (fileName: string, sql: string) => Promise<void>; empty: Db };

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-migrations-"));
    await use(folder);
    await rm(folder, { recursive: true });
  },
  write: async ({ folder }, use) => {
    await use((fileName, sql) => writeFile(join(folder, fileName), sql));
  },
  empty: async ({ emptyDatabaseUrl }, use) => {
    const pool = createPool({ url: emptyDatabaseUrl });
    await use(pool);
    await pool.end();
  },
});

function namesOf(migrations: Migration[]): string[] {
  return migrations.map((migration) => migration.name);
}

async function tableExists(db: Db, table: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
  return rows[0]?.found === true;
}

async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*)::int as count from pg_locks where not granted");
  return rows[0]?.count ?? 0;
}

async function countLocks(db: Db, table: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from pg_locks where relation = to_regclass($1) and mode = 'AccessExclusiveLock' and granted",
    [table],
  );
  return rows[0]?.count ?? 0;
}

describe("refusals", () => {
  test("a file that is not named NNNN_name.sql", async ({ folder, write }) => {
    await write("1_accounts.sql", "select 1");
    await expect(readMigrations(folder)).rejects.toThrow(MigrationError);
  });

  test("two files of one version", async ({ folder, write }) => {
    await write("0001_accounts.sql", "select 1");
    await write("0001_contacts.sql", "select 1");
    await expect(readMigrations(folder)).rejects.toThrow("0001_contacts.sql: version 0001 is taken by accounts");
  });

  test("an applied file that has changed", async ({ folder, write, empty }) => {
    await write("0001_accounts.sql", "create table account (id integer)");
    await migrate(empty, folder);
    await write("0001_accounts.sql", "create table account (id bigint)");
    await expect(migrate(empty, folder)).rejects.toThrow("0001_accounts.sql was changed after it was applied");
  });

  test("a database that is newer than the program", async ({ folder, write, empty }) => {
    await write("0001_accounts.sql", "select 1");
    await write("0002_contacts.sql", "select 1");
    await migrate(empty, folder);
    await rm(join(folder, "0002_contacts.sql"));
    await expect(migrate(empty, folder)).rejects.toThrow(
      "The database is newer than this program: it has migration 0002_contacts.sql",
    );
  });

  test("a file that was added below the newest applied one", async ({ folder, write, empty }) => {
    await write("0002_contacts.sql", "select 1");
    await migrate(empty, folder);
    await write("0001_accounts.sql", "select 1");
    await expect(migrate(empty, folder)).rejects.toThrow("0001_accounts.sql comes before migration 2");
  });

  test("a statement that fails is named by file and line, and its file leaves no trace", async ({
    folder,
    write,
    empty,
  }) => {
    await write("0001_accounts.sql", "create table account (id integer);");
    await write("0002_contacts.sql", "create table contact (id integer);\n\nselect nonsense;");
    await expect(migrate(empty, folder)).rejects.toThrow(`0002_contacts.sql:3: column "nonsense" does not exist`);
    expect(await tableExists(empty, "account")).toBe(true);
    expect(await tableExists(empty, "contact")).toBe(false);

    await write("0002_contacts.sql", "create table contact (id integer);");
    expect(namesOf(await migrate(empty, folder))).toEqual(["contacts"]);
  });
});

test("files are applied in order, once, and recorded", async ({ folder, write, empty }) => {
  await write("0002_contacts.sql", "alter table account add column name text");
  await write("0001_accounts.sql", "create table account (id integer)");
  expect(namesOf(await migrate(empty, folder))).toEqual(["accounts", "contacts"]);
  expect(await migrate(empty, folder)).toEqual([]);
  const { rows } = await empty.query(
    "select version, name, length(sha256) as digits from schema_migration order by version",
  );
  expect(rows).toEqual([
    { version: 1, name: "accounts", digits: 64 },
    { version: 2, name: "contacts", digits: 64 },
  ]);
});

test("line ends of another system are not a change", async ({ folder, write, empty }) => {
  await write("0001_accounts.sql", "select 1;\nselect 2;\n");
  await migrate(empty, folder);
  await write("0001_accounts.sql", "select 1;\r\nselect 2;\r\n");
  expect(await migrate(empty, folder)).toEqual([]);
});

test("a file may ask to run outside a transaction", async ({ folder, write, empty }) => {
  await write("0001_accounts.sql", "create table account (id integer)");
  await write("0002_account_index.sql", "-- no-transaction\ncreate index concurrently account_id on account (id)");
  expect(namesOf(await migrate(empty, folder))).toEqual(["accounts", "account_index"]);
  expect(await tableExists(empty, "account_id")).toBe(true);
});

test("processes that start together apply each file once", async ({ folder, write, empty }) => {
  await write("0001_accounts.sql", "create table account (id integer); select pg_sleep(0.1);");
  // It waits for every snapshot, those of processes that wait for it among them.
  await write("0002_account_index.sql", "-- no-transaction\ncreate index concurrently account_id on account (id)");
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(empty, folder)));
  expect(applied.map(namesOf).toSorted((a, b) => b.length - a.length)).toEqual([
    ["accounts", "account_index"],
    [],
    [],
    [],
  ]);
});

test("a migration that a transaction at work keeps waiting lets others pass, and is applied afterwards", async ({
  folder,
  write,
  empty,
}) => {
  await write("0001_accounts.sql", "create table account (id integer)");
  await migrate(empty, folder);
  await write("0002_account_names.sql", "alter table account add column name text");
  const atWork = await empty.connect();
  await atWork.query("begin");
  await atWork.query("insert into account values (1)");
  const applied = migrate(empty, folder);
  try {
    // Behind the migration that waits for the table: answered when it gives way, long before this session would give up.
    await expect.poll(async () => await countLockWaits(empty)).toBeGreaterThan(0);
    const { rowCount } = await empty.query("select from account");
    expect(rowCount).toBe(0);
    await atWork.query("commit");
  } finally {
    atWork.release();
  }
  expect(namesOf(await applied)).toEqual(["account_names"]);
});

test("of a deadlock with a transaction at work the migration is ended, and is applied afterwards", async ({
  folder,
  write,
  empty,
}) => {
  await write("0001_accounts.sql", "create table account (id integer); create table note (id integer)");
  await migrate(empty, folder);
  await write(
    "0002_names.sql",
    "alter table note add column name text; select pg_sleep(0.3); alter table account add column name text",
  );
  const atWork = await empty.connect();
  try {
    await atWork.query("begin");
    await atWork.query("insert into account values (1)");
    const applied = migrate(empty, folder);
    await expect.poll(async () => await countLocks(empty, "note")).toBeGreaterThan(0);
    // Waits for the migration, which is about to wait for this one.
    await atWork.query("insert into note values (1)");
    await atWork.query("commit");
    expect(namesOf(await applied)).toEqual(["names"]);
  } finally {
    atWork.release();
  }
});

test("a migration that alters two tables gets between hosts that lock them in another order all the time", async ({
  folder,
  write,
  empty,
}) => {
  await write("0001_accounts.sql", "create table account (id integer); create table note (id integer)");
  await migrate(empty, folder);
  await write("0002_names.sql", "alter table note add column name text; alter table account add column name text");
  const over = new AbortController();
  const work = async (): Promise<void> => {
    const client = await empty.connect();
    try {
      while (!over.signal.aborted) {
        await client.query("begin");
        await client.query("insert into account values (1)");
        await client.query("select pg_sleep(0.1)");
        await client.query("insert into note values (1)");
        await client.query("commit");
      }
    } finally {
      client.release();
    }
  };
  const atWork = Array.from({ length: 4 }, work);
  // What begins with the note meets one of them on every try.
  const timer = setTimeout(() => over.abort(), 20_000);
  expect(namesOf(await migrate(empty, folder))).toEqual(["names"]);
  expect(over.signal.aborted).toBe(false);
  clearTimeout(timer);
  over.abort();
  await Promise.all(atWork);
});

test("the product's own migrations build a database from nothing", async ({ folder, empty }) => {
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  expect(namesOf(await migrate(empty, folder))).toEqual(namesOf(await readMigrations()));
});
