import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "gsm",
    include: ["src/**/*.test.ts"],
    environment: "node",
    // A process reads the modules once for all its files, and Node takes their types away by itself.
    isolate: false,
    experimental: { viteModuleRunner: false },
    // Random texts by the thousand take their time on a busy machine; none of these tests waits for anything.
    testTimeout: 30_000,
  },
});
