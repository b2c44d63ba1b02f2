import { defineConfig } from "vitest/config";

/** Tests without JSX: plain logic, in Node. Those that need a document after all say so in their first line. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: "web-logic",
    include: ["src/**/*.test.ts"],
    environment: "node",
    testTimeout: 30_000,
    // A process reads the modules once for all its files.
    isolate: false,
    setupFiles: ["src/testing/setup.ts"],
  },
});
