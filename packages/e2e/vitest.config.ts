import { defineConfig } from "vitest/config";
import { testedAlone } from "./tested-alone.ts";

/** Pages, journeys and faults: each file has a product and a browser of its own, or shares them with others (`sharedBrowserTest`). */
export default defineConfig({
  test: {
    name: "e2e",
    include: ["src/**/*.test.ts"],
    exclude: testedAlone,
    environment: "node",
    globalSetup: ["src/testing/global-setup.ts"],
    // A process reads the modules of the browser's driver once for all its files.
    isolate: false,
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
