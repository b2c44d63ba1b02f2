import { defineConfig } from "vitest/config";
import { testedAlone } from "./tested-alone.ts";

/** What measures time, one file after another: beside others it would only test their patience. */
export default defineConfig({
  test: {
    name: "e2e-alone",
    include: testedAlone,
    environment: "node",
    fileParallelism: false,
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
