// Goal: no later change of a statement, and no new table, is refused by a cluster. Method: every text in the sources that one PostgreSQL plans as it
// stands is planned on a distributed database as well; `npm test` and `npm run test:citus` add each statement that the program gave to PostgreSQL while
// the server's tests ran (COLLECT_STATEMENTS, tools/collect-statements.mjs), put together as it is at run time. Each is planned with values, as a
// cluster plans: it needs the customer's to know the server. Each is carried out as well and undone, for some refusals come only then. Statements for
// one server alone carry a mark, and so do those for a cluster alone.
import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe } from "vitest";
import { ensurePartitions } from "../features/delivery/index.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { jobQueues } from "../main/job-queues.ts";
import { CITUS_MISSING, findCitus } from "../testing/citus-cluster.ts";
import { expect, test } from "../testing/database.ts";
import { ONE_SERVER } from "./distribution.ts";
import { migrate } from "./migrate.ts";
import { createPool, type Db } from "./pool.ts";
import { sqlStateOf } from "./sql-state.ts";

const SOURCES = new URL("../", import.meta.url).pathname;
/** What makes a database a cluster's, what looks at it, and what measures. */
const NOT_THE_PROGRAM = /\.test\.ts$|(?:^|\/)(?:testing|bench)\/|^db\/(?:distribute|distribution|migrate)\.ts$/;
/** COPY is no statement to prepare; what it copies is. */
const COPIED = /^copy \(([^]*)\) to stdout\b[^]*$/;
const PLANNABLE = /^\s*(?:--[^\n]*\n\s*)*(?:\/\*.*?\*\/\s*)?(?:select|insert|update|delete|with|values|merge)\b/i;
/** As the sources spell `ON_CLUSTER`. What begins with the mark for one server is none of this test's. */
const CLUSTER_MARK = "${ON_CLUSTER}";
/** Tables that are there only while a month is removed. Their own tests have given those statements to a cluster. */
const PASSING = /\bold_months\./;
/** PREPARE asks for the types that the driver leaves to be guessed from the values. */
const INDETERMINATE = "42P18";

const noted = process.env["COLLECT_STATEMENTS"] ?? "";
const hasNoted = existsSync(noted);

type Statement = { text: string; origin: string };
type Text = { path: string; source: string; isWhole: boolean };

async function readNoted(): Promise<Statement[]> {
  const lines = (await readFile(noted, "utf8")).trim().split("\n");
  return [...new Set(lines)]
    .map((line) => ({ text: (JSON.parse(line) as string).replace(COPIED, "$1"), origin: "as the tests used it" }))
    .filter(({ text }) => PLANNABLE.test(text));
}

/** Each SQL text of the sources; of one that is not whole something is put in at run time. */
async function readTexts(): Promise<Text[]> {
  const paths = globSync("**/*.ts", { cwd: SOURCES }).filter((path) => !NOT_THE_PROGRAM.test(path));
  const found = await Promise.all(
    paths.map(async (path) => {
      const code = await readFile(`${SOURCES}${path}`, "utf8");
      return [...code.matchAll(/(?<![\w)])(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/g)]
        .map(([, template, double, single]) => template ?? double ?? single ?? "")
        .filter(
          (source) => PLANNABLE.test(source.replace(CLUSTER_MARK, "")) && /\s(?:from|into|set|select)\s/i.test(source),
        )
        .map((source) => ({ path, source, isWhole: !source.includes("${") }));
    }),
  );
  return found.flat();
}

/** The constant pieces of a text. */
function piecesOf(source: string): string[] {
  return source
    .split(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/)
    .map(normalize)
    .filter((piece) => piece.length > 3);
}

/** Tests on one server do not use what only a cluster is given. `npm run test:citus` does, where a refusal fails the tests that send. */
function isForOtherRun(source: string): boolean {
  return source.startsWith(CLUSTER_MARK) && process.env["TESTED_ON_CLUSTER"] === undefined;
}

function squash(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** As the program has it that the source spells. */
function normalize(source: string): string {
  return squash(source.replaceAll(/\\(.)/g, "$1"));
}

const SAMPLES: Record<string, string> = {
  // Some texts are lists, which the statement takes apart.
  text: "'{1}'",
  uuid: "'01900000-0000-7000-8000-000000000001'",
  boolean: "true",
  inet: "'127.0.0.1'",
  jsonb: "'{}'",
  json: "'{}'",
  bytea: "'\\x00'",
  date: "'2026-11-23'",
  "timestamp with time zone": "'2026-11-23'",
  "timestamp without time zone": "'2026-11-23'",
  interval: "'1 hour'",
};

/** A value of a type, or an array of one. */
function sampleOf(type: string): string {
  const isArray = type.endsWith("[]");
  const value = SAMPLES[isArray ? type.slice(0, -2) : type] ?? "'1'";
  return isArray ? `array[${value}]::${type}` : `${value}::${type}`;
}

/** What a database says of a statement that it does not plan, or that failed when it was carried out with sample values. */
type Refusal = { message: string; isPlanned: boolean };

async function tryAll(db: Db, statements: readonly Statement[]): Promise<Map<Statement, Refusal>> {
  const client = await db.connect();
  const refused = new Map<Statement, Refusal>();
  try {
    await client.query("set statement_timeout = '10s'");
    for (const statement of statements) {
      let isPlanned = false;
      await client.query("begin");
      try {
        await client.query(`prepare planned as ${statement.text}`);
        const { rows } = await client.query<{ types: string[] }>(
          "select parameter_types::text[] as types from pg_prepared_statements where name = 'planned'",
        );
        const values = (rows[0]?.types ?? []).map(sampleOf).join(", ");
        const execute = `execute planned${values === "" ? "" : `(${values})`}`;
        await client.query(`explain (costs off) ${execute}`);
        isPlanned = true;
        await client.query(execute);
      } catch (error) {
        if (sqlStateOf(error) !== INDETERMINATE)
          refused.set(statement, { message: (error as Error).message, isPlanned });
      }
      await client.query("rollback; deallocate all");
    }
  } finally {
    client.release(true);
  }
  return refused;
}

async function build(db: Db): Promise<void> {
  await installJobs(db, jobQueues);
  await ensurePartitions(db, new Date());
}

const skipReason = (await findCitus()) === undefined ? CITUS_MISSING : undefined;

describe.skipIf(skipReason !== undefined)(
  `what one PostgreSQL plans a cluster plans${skipReason === undefined ? "" : ` (${skipReason})`}`,
  () => {
    test("every statement", { timeout: 240_000 }, async ({ db, emptyDatabaseUrl }) => {
      const texts = await readTexts();
      const statements = [
        ...texts
          .filter(({ isWhole }) => isWhole)
          .map(({ path, source }) => ({ text: source.replaceAll(/\\(.)/g, "$1"), origin: path })),
        ...(hasNoted ? await readNoted() : []),
      ].filter(({ text }) => !text.includes(ONE_SERVER) && !PASSING.test(text));
      expect(statements.length).toBeGreaterThan(350);
      const single = createPool({ url: emptyDatabaseUrl, connectionsMax: 2 });
      try {
        await migrate(single);
        await build(single);
        const alone = await tryAll(single, statements);
        // A text that one server does not plan is a part of a statement: it is tried as a part of those that the tests used.
        const wholes = statements.filter((statement) => alone.get(statement)?.isPlanned !== false);
        expect(wholes.length).toBeGreaterThan(statements.length * 0.9);
        await build(db);
        const refused = [...(await tryAll(db, wholes))]
          // What the sample values break they break on one server as well.
          .filter(([statement, { isPlanned }]) => !isPlanned || !alone.has(statement))
          .map(([{ text, origin }, { message }]) => `${origin}: ${message}: ${squash(text).slice(0, 200)}`);
        expect(refused).toEqual([]);
      } finally {
        await single.end();
      }
    });

    const skipReasonOfNoted = hasNoted ? undefined : "COLLECT_STATEMENTS names no list";
    test.skipIf(skipReasonOfNoted !== undefined)(
      "each statement of a store that is put together was used by a test, which is how it came to be planned",
      async () => {
        const seen = (await readNoted()).map(({ text }) => squash(text));
        const missing = (await readTexts())
          .filter(({ path, isWhole, source }) => path.endsWith("store.ts") && !isWhole && !isForOtherRun(source))
          .map(({ path, source }) => ({ path, pieces: piecesOf(source) }))
          .filter(({ pieces }) => !seen.some((text) => pieces.every((piece) => text.includes(piece))))
          .map(({ path, pieces }) => `${path}: ${pieces.join(" .. ").slice(0, 160)}`);
        expect(missing).toEqual([]);
      },
    );

    test("every table of customers' rows is split, and the others are the coordinator's or copied on purpose", async ({
      db,
    }) => {
      const { rows } = await db.query<{ table: string; comment: string | null; way: string | null }>(
        `select relname as table, obj_description(pg_class.oid, 'pg_class') as comment, partmethod::text || repmodel::text as way
         from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
      );
      const wrong = rows.filter(
        ({ table, comment, way }) =>
          table !== "schema_migration" &&
          !(comment?.startsWith("tenant") ? way === "hs" : comment?.startsWith("directory") && way !== "hs"),
      );
      expect(wrong).toEqual([]);
    });
  },
);
