import { defineConfig } from "vitest/config";
import { testedInPairs } from "./tested-alone.ts";

/** What measures time, never more than two files at once: beside more it would only test their patience. */
export default defineConfig({
  test: {
    name: "e2e-pairs",
    include: testedInPairs,
    environment: "node",
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
