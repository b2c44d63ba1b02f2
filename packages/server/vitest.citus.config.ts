import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { CITUS_MISSING, findCitus } from "./src/testing/citus-cluster.ts";

/** Tests of how one server finds rows, by their names. What a cluster plans: src/db/distributed-statements.test.ts. */
const OF_ONE_SERVER = [
  // Of the claim of one server, which a cluster is never given: there a worker looks at the turns of all servers first, then claims at one.
  "walks the ready batches by turn",
  // Of the function that records a flush at one server; a cluster records it customer by customer, which the other tests of the file do as well.
  "a flush in one statement is refused as a whole, and a second time",
  // A cluster joins the page of this copied table with tables that are split, so it sorts at the coordinator what each server found by its index.
  "a page of any order begins where the last one ended, by its index",
  // They read the plan as a tree of one server's nodes. A cluster's has one for each server, of parts of tables with names of their own; what they
  // find wrong, a missing index, is the same on both.
  "a page of 100,000 contacts with search",
  "reads an index in the list's order",
  "cuts the page before it looks at anything that stands beside a message",
];
const STATEMENTS = "src/db/distributed-statements.test.ts";

const hasCitus = (await findCitus()) !== undefined;
if (!hasCitus) process.stdout.write(`${CITUS_MISSING}\n`);

// The processes of the tests inherit it. Who runs parts one after the other names a file that outlives them.
if (process.env["COLLECT_STATEMENTS"] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), "ewebal-statements-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.env["COLLECT_STATEMENTS"] = join(folder, "statements");
}

const common = {
  environment: "node",
  isolate: false,
  globalSetup: "src/testing/citus-setup.ts",
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const;

/** `npm run test:citus`: every test of the server on a coordinator with two workers, and then a plan of every statement that they used. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    testNamePattern: new RegExp(`^(?!.*(?:${OF_ONE_SERVER.join("|")})).*$`),
    passWithNoTests: !hasCitus,
    projects: hasCitus
      ? [
          {
            test: {
              ...common,
              name: "citus",
              include: ["src/**/*.test.ts"],
              exclude: [
                // The tests' own databases, which are made otherwise here, and the file that says what the schema of one server is.
                "src/testing/*.test.ts",
                // Has a cluster of its own, and a database that is not distributed.
                "src/db/distribute.test.ts",
                // What is moved away from is the embedded PostgreSQL, which is no cluster.
                "src/backup/move.test.ts",
                STATEMENTS,
              ],
              execArgv: ["--import", join(import.meta.dirname, "../../tools/collect-statements.mjs")],
            },
          },
          {
            test: {
              ...common,
              name: "citus-statements",
              include: [STATEMENTS],
              sequence: { groupOrder: 1 },
              env: { TESTED_ON_CLUSTER: "yes" },
            },
          },
        ]
      : [],
  },
});
