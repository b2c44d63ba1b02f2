import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Tests of pages and components, in jsdom. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: "web",
    include: ["src/**/*.test.tsx"],
    environment: "jsdom",
    testTimeout: 30_000,
    // A process reads the modules once for all its files; the set-up clears what they keep (session, notices).
    isolate: false,
    setupFiles: ["src/testing/setup.ts"],
    css: { modules: { classNameStrategy: "non-scoped" } },
  },
});
