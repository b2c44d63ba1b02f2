// Goal: no later change of a statement is refused by a cluster. Method: `npm run test:citus` notes every statement that the program gives to PostgreSQL
// while the server's tests run on a cluster (tools/collect-statements.mjs); here each is planned on a distributed database with values, as a cluster
// plans: it needs the customer's to know the server. Statements for one server alone carry a mark. A statement in a store that no test has reached
// is found by its words in the source.
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ensurePartitions } from "../features/delivery/index.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { jobQueues } from "../main/job-queues.ts";
import { expect, test } from "../testing/database.ts";
import { ONE_SERVER } from "./distribution.ts";
import { sqlStateOf } from "./sql-state.ts";

const SOURCES = new URL("../", import.meta.url).pathname;
const PLANNABLE = /^\s*(?:--[^\n]*\n\s*)*(?:select|insert|update|delete|with|values|merge)\b/i;
/** Tables that are there only while a month is removed. Their own tests have given those statements to a cluster. */
const PASSING = /\bold_months\./;
/** PREPARE asks for the types that the driver leaves to be guessed from the values. */
const INDETERMINATE = "42P18";

const noted = process.env["COLLECT_STATEMENTS"] ?? "";

async function readNoted(): Promise<string[]> {
  const lines = (await readFile(noted, "utf8")).trim().split("\n");
  return [...new Set(lines.map((line) => JSON.parse(line) as string))].filter((text) => PLANNABLE.test(text));
}

/** The constant pieces of each SQL text in a source; what stands between them is put in at run time. */
function findTexts(source: string): string[][] {
  return [...source.matchAll(/(?<![\w)])(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/g)]
    .map(([, template, double, single]) => template ?? double ?? single ?? "")
    .filter((text) => PLANNABLE.test(text) && /\s(?:from|into|set|select)\s/i.test(text))
    .map((text) =>
      text
        .split(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/)
        .map(normalize)
        .filter((piece) => piece.length > 3),
    );
}

function squash(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** As the program has it that the source spells. */
function normalize(source: string): string {
  return squash(source.replaceAll(/\\(.)/g, "$1"));
}

const SAMPLES: Record<string, string> = {
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

test("each that the program was seen to use is planned", async ({ db }) => {
  const statements = (await readNoted()).filter((text) => !text.includes(ONE_SERVER) && !PASSING.test(text));
  expect(statements.length).toBeGreaterThan(100);
  await installJobs(db, jobQueues);
  await ensurePartitions(db, new Date());
  const client = await db.connect();
  const refused: string[] = [];
  try {
    for (const text of statements) {
      await client.query("begin");
      try {
        await client.query(`prepare noted as ${text}`);
        const { rows } = await client.query<{ types: string[] }>(
          "select parameter_types::text[] as types from pg_prepared_statements where name = 'noted'",
        );
        const values = (rows[0]?.types ?? []).map(sampleOf).join(", ");
        await client.query(`explain (costs off) execute noted${values === "" ? "" : `(${values})`}`);
      } catch (error) {
        if (sqlStateOf(error) !== INDETERMINATE)
          refused.push(`${(error as Error).message}: ${squash(text).slice(0, 160)}`);
      }
      await client.query("rollback; deallocate all");
    }
  } finally {
    client.release(true);
  }
  expect(refused).toEqual([]);
});

test("each of every store was used by a test", async () => {
  const seen = (await readNoted()).map(squash);
  const missing: string[] = [];
  for (const path of globSync("**/*store.ts", { cwd: SOURCES })) {
    for (const pieces of findTexts(await readFile(`${SOURCES}${path}`, "utf8")))
      if (!seen.some((text) => pieces.every((piece) => text.includes(piece))))
        missing.push(`${path}: ${pieces.join(" .. ").slice(0, 160)}`);
  }
  expect(missing).toEqual([]);
});
