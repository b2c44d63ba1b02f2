/** `@ewebal/contract/calls`: what the browser calls, without zod. */
export type { Call, Calls } from "./call.ts";
export * from "./access.ts";
export * from "./accounts.ts";
export * from "./admin.ts";
export * from "./billing.ts";
export * from "./funding.ts";
export * from "./contacts.ts";
export * from "./messages.ts";
export * from "./passkeys.ts";
export * from "./prices.ts";
export * from "./privacy.ts";
export * from "./programs.ts";
export * from "./service.ts";
export * from "./site.ts";
export * from "./teams.ts";
