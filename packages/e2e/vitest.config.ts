import { defineConfig } from "vitest/config";
import { testedAlone } from "./tested-alone.ts";

/** Pages, journeys and faults: each file has a product and a browser of its own. */
export default defineConfig({
  test: {
    name: "e2e",
    include: ["src/**/*.test.ts"],
    exclude: testedAlone,
    environment: "node",
    globalSetup: ["src/testing/global-setup.ts"],
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
