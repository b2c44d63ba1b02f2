import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "simulator",
    include: ["src/**/*.test.ts"],
    environment: "node",
    // A process reads the modules once for all its files, and Node takes their types away by itself.
    isolate: false,
    experimental: { viteModuleRunner: false },
    // Loopback tests wait for what happens, not for time; on a busy machine that may take a while.
    testTimeout: 30_000,
  },
});
