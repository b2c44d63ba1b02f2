export * from "./accounts.ts";
export * from "./admin.ts";
export * from "./brand.ts";
export * from "./errors.ts";
export * from "./http.ts";
export * from "./limits.ts";
export * from "./messages.ts";
