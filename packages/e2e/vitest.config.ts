import { defineConfig } from "vitest/config";
import { testedAlone } from "./tested-alone.ts";

/** Pages, journeys and faults: each file has a product and a browser of its own, and two of them share the two cores. */
export default defineConfig({
  test: {
    name: "e2e",
    include: ["src/**/*.test.ts"],
    exclude: testedAlone,
    environment: "node",
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
