import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "smpp", include: ["src/**/*.test.ts"], environment: "node" } });
