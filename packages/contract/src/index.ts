/** The whole contract, for the server and for tests. A page imports `./calls` and `./rules`, which bring no zod. */
export * from "./documents.ts";
export * from "./pages.ts";
export * from "./routes.ts";
export * from "./rules/index.ts";
export * from "./schemas/index.ts";
