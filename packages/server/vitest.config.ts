import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "server",
    include: ["src/**/*.test.ts"],
    environment: "node",
    globalSetup: ["src/testing/global-setup.ts"],
    // A test that waits for locks or starts a server is bounded by its own limits first; this is the last one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
