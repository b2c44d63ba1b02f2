import { defineConfig } from "vitest/config";
import { testedAlone } from "./tested-alone.ts";

/** What measures time and the work of pages, one file after another. */
export default defineConfig({
  test: {
    name: "e2e-alone",
    include: testedAlone,
    environment: "node",
    globalSetup: ["src/testing/global-setup.ts"],
    fileParallelism: false,
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
