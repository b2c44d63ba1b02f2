import { defineConfig } from "vitest/config";

/**
 * What fails on a cluster so far. Most of these tests break a rule or wait for a lock by means that a cluster does not have; not each was looked
 * into, so a cluster is no supported place yet.
 */
const FAILING_ON_A_CLUSTER = [
  // Triggers of the test's own.
  "leaves out lines and changes no balance",
  "a cursor from behind the end of the range",
  "end as the last line of each day",
  "paused also when the database goes away",
  "killed before COMMIT leaves it scheduled",
  // Rows of all customers locked or changed by the test.
  "what a worker leased after it was struck off",
  "is not acknowledged before its row is committed",
  "takes its turn before it gives units back",
  // Plans and pace of one server.
  "walks the ready batches by turn",
  "never further ahead of the wire than 50 ms",
];

/** `npm run test:citus`: what units and messages go through, on a coordinator with two workers. */
export default defineConfig({
  test: {
    name: "citus",
    include: ["src/db/distribute.test.ts", "src/ledger/*.test.ts", "src/features/delivery/**/*.test.ts"],
    exclude: [
      "src/ledger/{append-only,ledger-invariants,ledger-model,killed-here}.test.ts",
      "src/features/delivery/lists/*.test.ts",
      "src/features/delivery/send-mark/*.test.ts",
    ],
    testNamePattern: new RegExp(`^(?!.*(?:${FAILING_ON_A_CLUSTER.join("|")})).*$`),
    environment: "node",
    isolate: false,
    globalSetup: ["src/testing/citus-setup.ts"],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
