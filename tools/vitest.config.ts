import { defineConfig } from "vitest/config";

// Some of these tests start processes, which takes more than the default 5 s on a busy machine.
export default defineConfig({
  test: {
    name: "tools",
    include: ["*.test.ts"],
    environment: "node",
    // Node takes the types away by itself.
    experimental: { viteModuleRunner: false },
    testTimeout: 60_000,
  },
});
