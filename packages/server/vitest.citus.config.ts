import { defineConfig } from "vitest/config";

/** What one PostgreSQL has and a cluster has not, and the program does not need. Each test is named. */
const OF_ONE_SERVER = [
  // They look for the nodes and indexes of a plan as one server prints it. The plans of a cluster: src/db/distributed-statements.test.ts.
  "walks the ready batches by turn",
  "a page of any order begins where the last one ended, by its index",
  "a page of 100,000 contacts with search",
  "reads an index in the list's order",
  "cuts the page before it looks at anything that stands beside a message",
];

/** `npm run test:citus`: every test of the server on a coordinator with two workers. */
export default defineConfig({
  test: {
    name: "citus",
    include: ["src/**/*.test.ts"],
    exclude: [
      // The tests' own databases, which are made otherwise here, and the file that says what the schema of one server is.
      "src/testing/*.test.ts",
      // Has a cluster of its own, and a database that is not distributed.
      "src/db/distribute.test.ts",
    ],
    testNamePattern: new RegExp(`^(?!.*(?:${OF_ONE_SERVER.join("|")})).*$`),
    environment: "node",
    isolate: false,
    globalSetup: ["src/testing/citus-setup.ts"],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
