import { defineConfig } from "vitest/config";

/** One project a package (the pages and the browser tests have two), so that `npx vitest --project gsm` is the inner loop and `npm test` runs them all. */
export default defineConfig({
  test: {
    projects: [
      "packages/*/vitest.config.ts",
      "packages/web/vitest.logic.config.ts",
      "packages/e2e/vitest.alone.config.ts",
      "tools/vitest.config.ts",
    ],
    // Two cores: more workers only make the timing-sensitive suites wait for each other.
    maxWorkers: 2,
  },
});
