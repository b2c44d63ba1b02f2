import { join } from "node:path";
import { defineConfig } from "vitest/config";

const COLLECTOR = join(import.meta.dirname, "../../tools/collect-statements.mjs");

export default defineConfig({
  test: {
    name: "server",
    include: ["src/**/*.test.ts"],
    // Needs a cluster, and what these tests have noted: vitest.statements.config.ts.
    exclude: ["src/db/distributed-statements.test.ts"],
    environment: "node",
    // A process reads the server's modules once for all its files. None of them keeps state that a test leaves behind: every
    // test has a database, an app and a clock of its own.
    isolate: false,
    // Node takes the types away by itself, and keeps what it compiled.
    experimental: { viteModuleRunner: false },
    globalSetup: ["src/testing/global-setup.ts"],
    // An app with its routes outlives several collections of the young garbage, each of which copies it. Of 410 tests that took 85 s with Node's
    // own 16 MB, 7 s were saved.
    execArgv: [
      "--max-semi-space-size=64",
      ...(process.env["COLLECT_STATEMENTS"] === undefined ? [] : ["--import", COLLECTOR]),
    ],
    // A test that waits for locks or starts a server is bounded by its own limits first; this is the last one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
