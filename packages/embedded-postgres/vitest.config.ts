import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "embedded-postgres",
    include: ["src/**/*.test.ts"],
    environment: "node",
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    // A test that starts a server is bounded by its own limits first; this is the last one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
