// Goal: an upgrade does not stop what still runs. Method: every statement that the release before this one gives to PostgreSQL is
// prepared on the schema of this one; a column that became ambiguous, or went away, refuses there and then. The list was written by that release
// itself while its tests ran, and is written anew when a release is made, from `packages/server` of that release:
//
//   COLLECT_STATEMENTS=/tmp/list NODE_OPTIONS="--import $PWD/../../tools/collect-statements.mjs" npx vitest run src/features src/ledger src/jobs src/mail src/files
//   sort -u /tmp/list | gzip -9 -n > src/db/previous-statements.txt.gz
import { gunzipSync } from "node:zlib";
import { readFile } from "node:fs/promises";
import { expect, test } from "../testing/database.ts";
import { jobQueues } from "../main/job-queues.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { sqlStateOf } from "./sql-state.ts";

const LIST = new URL("previous-statements.txt.gz", import.meta.url);
const PREPARABLE = /^\s*(?:--[^\n]*\n\s*)*(?:select|insert|update|delete|with|values|merge)\b/i;
/** PREPARE asks for the types that the driver leaves to be guessed from the values. */
const INDETERMINATE = "42P18";

async function readStatements(): Promise<string[]> {
  const lines = gunzipSync(await readFile(LIST))
    .toString()
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as string).filter((text) => PREPARABLE.test(text));
}

test("every statement of the release before is valid on this schema", { timeout: 60_000 }, async ({ db }) => {
  const statements = await readStatements();
  expect(statements.length).toBeGreaterThan(300);
  await installJobs(db, jobQueues);
  const client = await db.connect();
  try {
    const refused: string[] = [];
    for (const text of statements) {
      await client.query("begin");
      try {
        await client.query(`prepare earlier as ${text}`);
      } catch (error) {
        if (sqlStateOf(error) !== INDETERMINATE)
          refused.push(`${(error as Error).message}: ${text.trim().slice(0, 120)}`);
      }
      await client.query("rollback; deallocate all");
    }
    expect(refused).toEqual([]);
  } finally {
    client.release(true);
  }
});

test("what that release inserts names every column that has to be there", async ({ db }) => {
  const { rows: needed } = await db.query<{ table: string; column: string }>(
    `select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
       and attnotnull and not atthasdef and attidentity = '' and attgenerated = ''`,
  );
  const missing: string[] = [];
  for (const text of await readStatements()) {
    for (const [, table, columns = ""] of text.matchAll(/insert into (\w+)\s*\(([^)]*)\)/gi)) {
      const named = new Set(columns.split(",").map((column) => column.trim()));
      for (const { column } of needed.filter((row) => row.table === table))
        if (!named.has(column)) missing.push(`${table}.${column}`);
    }
  }
  expect([...new Set(missing)]).toEqual([]);
});

test("a column that makes a claim of that release ambiguous is found", async ({ db }) => {
  const claim = (await readStatements()).find(
    (text) => text.includes("update message_batch batch") && text.includes("skip locked"),
  );
  expect(claim).toBeDefined();
  await db.query("alter table message add column attempt integer");
  await expect(db.query(`prepare earlier as ${claim}`)).rejects.toThrow(/ambiguous/);
});
