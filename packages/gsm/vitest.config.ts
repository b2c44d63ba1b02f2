import { defineConfig } from "vitest/config";

// Random texts by the thousand take their time on a busy machine; none of these tests waits for anything.
export default defineConfig({
  test: { name: "gsm", include: ["src/**/*.test.ts"], environment: "node", testTimeout: 30_000 },
});
