import { createHash, randomInt } from "node:crypto";
import { Client } from "pg";
import { ADVISORY_LOCK_CLASS } from "../db/advisory.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { createPool } from "../db/pool.ts";

/** What a test needs to make databases of its own. Handed from the global setup to the workers, so plain data. */
export type TestDatabaseServer = {
  /** A maintenance database of a role that may create databases. */
  url: string;
  /** The migrated database that tests copy. */
  template: string;
  /** Names the databases of this run; its advisory lock says that the run is alive. */
  runKey: number;
  /** A superuser's maintenance databases on every server of a cluster, the coordinator's first; each has the template. */
  clusterUrls?: string[];
};

const TEST_PREFIX = "ewebal_test_";
const TEMPLATE_PREFIX = "ewebal_template_";

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Builds the migrated template unless an earlier run on this server did, and clears what killed runs left.
 *
 * @returns the server as the workers see it, and `end`, which drops what this run made.
 */
export async function prepareTestDatabases(
  url: string,
): Promise<{ server: TestDatabaseServer; end: () => Promise<void> }> {
  const client = new Client({ connectionString: url, application_name: "ewebal-test-setup" });
  await client.connect();
  const runKey = randomInt(1, 2 ** 31);
  await client.query("select pg_advisory_lock($1, $2)", [ADVISORY_LOCK_CLASS.testRun, runKey]);
  await dropDatabasesOfDeadRuns(client);
  const template = await buildTemplate(client, url);
  return {
    server: { url, template, runKey },
    end: async () => {
      await dropDatabases(client, `${TEST_PREFIX}${runKey}_`);
      await client.end();
    },
  };
}

/** @param name unique within the run; see `TestDatabaseServer.runKey`. */
export function testDatabaseName(server: TestDatabaseServer, name: string): string {
  return `${TEST_PREFIX}${server.runKey}_${name}`;
}

async function buildTemplate(client: Client, url: string): Promise<string> {
  const hash = createHash("sha256");
  for (const migration of await readMigrations()) hash.update(migration.sha256);
  const template = `${TEMPLATE_PREFIX}${hash.digest("hex").slice(0, 16)}`;
  // Two runs may start at once on one server; the second finds the template ready.
  await client.query("select pg_advisory_lock($1, 0)", [ADVISORY_LOCK_CLASS.testRun]);
  try {
    const { rows } = await client.query<{ done: boolean }>(
      "select datallowconn = false as done from pg_database where datname = $1",
      [template],
    );
    if (rows[0]?.done === true) return template;
    await client.query(`drop database if exists ${template}`);
    await client.query(`create database ${template} template template0`);
    const pool = createPool({ url: databaseUrl(url, template), applicationName: "ewebal-test-template" });
    try {
      await migrate(pool);
    } finally {
      await pool.end();
    }
    await buildCatalogCache(databaseUrl(url, template));
    // No connection can keep a copy from being made, and "done" is only said of a template that is whole.
    await client.query(`alter database ${template} with allow_connections false`);
    return template;
  } finally {
    await client.query("select pg_advisory_unlock($1, 0)", [ADVISORY_LOCK_CLASS.testRun]);
  }
}

/** The first session of a database writes a file with what it read of the catalog; every copy begins with that of the template. */
async function buildCatalogCache(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "ewebal-test-template" });
  await client.connect();
  await client.end();
}

async function dropDatabasesOfDeadRuns(client: Client): Promise<void> {
  const { rows } = await client.query<{ runKey: string }>(
    `select distinct substring(datname from '^${TEST_PREFIX}(\\d+)_') as "runKey" from pg_database where datname ~ '^${TEST_PREFIX}\\d+_'`,
  );
  for (const { runKey } of rows) {
    const lock = [ADVISORY_LOCK_CLASS.testRun, Number(runKey)];
    const { rows: locked } = await client.query<{ dead: boolean }>("select pg_try_advisory_lock($1, $2) as dead", lock);
    if (locked[0]?.dead !== true) continue;
    await dropDatabases(client, `${TEST_PREFIX}${runKey}_`);
    await client.query("select pg_advisory_unlock($1, $2)", lock);
  }
}

async function dropDatabases(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1)",
    [prefix],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
}
