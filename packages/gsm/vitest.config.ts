import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "gsm", include: ["src/**/*.test.ts"], environment: "node" } });
