import { defineConfig } from "vitest/config";

/** Whole products are started here, one after another: two of them on two cores would only test each other's patience. */
export default defineConfig({
  test: {
    name: "e2e",
    include: ["src/**/*.test.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
