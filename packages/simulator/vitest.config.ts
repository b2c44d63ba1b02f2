import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "simulator",
    include: ["src/**/*.test.ts"],
    environment: "node",
    // Loopback tests wait for what happens, not for time; on a busy machine that may take a while.
    testTimeout: 30_000,
  },
});
