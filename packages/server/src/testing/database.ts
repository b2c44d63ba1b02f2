import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { test as base, inject } from "vitest";
import { noteDistribution } from "../db/distribution.ts";
import type { Db } from "../db/pool.ts";
import { createPool } from "../db/pool.ts";
import { SQL_STATE, sqlStateOf } from "../db/sql-state.ts";
import { lendClusterDatabase } from "./cluster-databases.ts";
import { databaseUrl, testDatabaseName } from "./test-databases.ts";

export { eachCase } from "./each-case.ts";
export { listLockWaiters, overlap } from "./overlap.ts";
export { expect } from "vitest";

export type DatabaseFixtures = {
  /** A pool on a database of the test's own, migrated and empty. The fixture ends it. */
  db: Db;
  /** The same database, for processes and pools that the test starts, and must end, itself. */
  databaseUrl: string;
  /** A database without any table, for tests of what makes tables. */
  emptyDatabaseUrl: string;
};

/**
 * The `test` of everything that touches the database. When a test is over its ledger must add up (view
 * `ledger_invariants`, all zeros) and nobody may still be connected to its database; either fails the test.
 */
export const test = base.extend<DatabaseFixtures & { forgotten: void }>({
  // vitest keeps the fixtures of each test in its context, and the contexts as long as the process lives. An app is 3.5 MB: after 1,000 tests
  // the garbage collector walked over gigabytes. This fixture stands first, so that it ends last.
  forgotten: [
    async ({ task }, use) => {
      const context = task.context as unknown as Record<string, unknown>;
      const own = new Set(Object.keys(context));
      await use();
      for (const name of Object.keys(context)) if (!own.has(name)) delete context[name];
    },
    { auto: true },
  ],
  db: async ({ databaseUrl: url }, use) => {
    // A test may queue a thousand callers on ten connections; how long the last one waits is the machine's affair.
    const pool = createPool({ url, applicationName: "ewebal-test", connectTimeoutMs: 60_000 });
    try {
      await noteDistribution(pool);
      await use(pool);
      await assertLedgerInvariants(pool);
    } finally {
      await endPool(pool);
    }
  },
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  databaseUrl: async ({}, use) => {
    const server = inject("testDatabaseServer");
    if (server.clusterUrls === undefined) await lendDatabase(server.template, use);
    else await lendClusterDatabase(server, use);
  },
  // eslint-disable-next-line no-empty-pattern -- as above.
  emptyDatabaseUrl: async ({}, use) => {
    await lendDatabase("template0", use);
  },
});

/** A session takes a moment to leave `pg_stat_activity` after its client has closed the socket. */
const SESSION_END_TIMEOUT_MS = 2_000;
const POLL_DELAY_MS = 5;

let databaseCount = 0;
/** Makes and drops the databases of this process, one test after another. */
let maker: Client | undefined;

async function connectMaker(): Promise<Client> {
  const server = inject("testDatabaseServer");
  // A superuser's where Citus has a process in each database.
  const [url = server.url] = server.clusterUrls ?? [];
  const client = new Client({ connectionString: url, application_name: "ewebal-test-admin" });
  // A test may end every session, this one among them: the next one gets another.
  client.on("error", () => (maker = undefined));
  await client.connect();
  return client;
}

async function lendDatabase(template: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = inject("testDatabaseServer");
  databaseCount += 1;
  const name = testDatabaseName(server, `${process.pid}_${databaseCount}`);
  maker ??= await connectMaker();
  try {
    // 11 ms to make and 5 ms to drop with 40 tables, in memory; `wal_log` takes 20 to 33 and 13 to 26.
    await maker.query(
      `create database ${name} template ${template} owner ${new URL(server.url).username} strategy file_copy`,
    );
    await use(databaseUrl(server.url, name));
    maker ??= await connectMaker();
    await assertNobodyConnected(maker, name);
  } finally {
    maker ??= await connectMaker();
    await dropDatabase(maker, name);
  }
}

/**
 * Without `force` first: an autovacuum worker gives way to that, while `force` must not end it, as it is a superuser's.
 * Sessions that a failed test left behind are ended with `force`.
 */
async function dropDatabase(admin: Client, name: string): Promise<void> {
  try {
    await admin.query(`drop database if exists ${name}`);
  } catch (error) {
    if (sqlStateOf(error) !== SQL_STATE.objectInUse) throw error;
    await admin.query(`drop database if exists ${name} with (force)`);
  }
}

/** @throws Error that names each rule of the ledger that does not hold, with the number of rows that break it. */
export async function assertLedgerInvariants(db: Db): Promise<void> {
  const { rows: found } = await db.query<{ exists: boolean }>(
    `select to_regclass('ledger_invariants') is not null as exists`,
  );
  if (found[0]?.exists !== true || !(await hasAnythingToAddUp(db))) return;
  const { rows } = await db.query<{ name: string; violations: number }>(
    "select name, violations from ledger_invariants where violations <> 0 order by name",
  );
  if (rows.length === 0) return;
  const list = rows.map((row) => `${row.name}: ${row.violations}`).join(", ");
  throw new Error(`The ledger does not add up after this test (rule: rows that break it): ${list}`);
}

/** Most tests move no units: over empty tables every rule holds, and planning the rules alone would take a third of such a test. A cluster asks for a column in each. */
async function hasAnythingToAddUp(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select 1 from journal) or exists (select 1 from journal_entry) or exists (select 1 from hold)
        or exists (select 1 from ledger_account where balance_milli <> 0 or held_milli <> 0) or exists (select 1 from card_payment)
        or exists (select 1 from card_payment_claim) or exists (select 1 from message) or exists (select 1 from message_count)
        or exists (select 1 from message_batch) or exists (select 1 from delivery) or exists (select 1 from delivery_unknown) as found`,
  );
  return rows[0]?.found === true;
}

async function endPool(pool: Db): Promise<void> {
  const busy = pool.totalCount - pool.idleCount;
  const ended = pool.end();
  if (busy === 0) return await ended;
  // Waiting for clients that nobody releases would hide the mistake behind a timeout; dropping the database ends them.
  ended.catch(() => undefined);
  throw new Error(
    `The test ended with ${busy} connection(s) of its pool still in use: a query was not awaited or a client not released`,
  );
}

async function assertNobodyConnected(admin: Client, database: string): Promise<void> {
  const deadlineMs = Date.now() + SESSION_END_TIMEOUT_MS;
  for (;;) {
    const { rows } = await admin.query<{ name: string; query: string }>(
      "select application_name as name, left(query, 80) as query from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [database],
    );
    if (rows.length === 0) return;
    if (Date.now() > deadlineMs) {
      const list = rows.map((row) => `${row.name} (${row.query})`).join("; ");
      throw new Error(`The test left connections to its database open: ${list}`);
    }
    await sleep(POLL_DELAY_MS);
  }
}
