export { startEmbeddedPostgres } from "./start-embedded-postgres.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start-embedded-postgres.ts";
export { canSwitchTo, canTraverse, isRoot, PRODUCT_GID, type Identity } from "./identity.ts";
export type { EmbeddedLog } from "./embedded-log.ts";
