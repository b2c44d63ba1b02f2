import { defineConfig } from "vitest/config";

/** Plans every statement on a cluster, once the server's tests have noted those that they used. */
export default defineConfig({
  test: {
    name: "server-statements",
    include: ["src/db/distributed-statements.test.ts"],
    environment: "node",
    globalSetup: ["src/testing/citus-setup.ts"],
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    sequence: { groupOrder: 1 },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
