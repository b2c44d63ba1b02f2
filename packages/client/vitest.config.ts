import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "client",
    include: ["src/**/*.test.ts"],
    environment: "node",
    isolate: false,
    experimental: { viteModuleRunner: false },
    testTimeout: 30_000,
  },
});
