export { startEmbeddedPostgres } from "./start-embedded-postgres.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start-embedded-postgres.ts";
export { allows, canTraverse, EXECUTE, isRoot, PRODUCT_GID, WRITE, type Identity } from "./identity.ts";
export type { EmbeddedLog } from "./embedded-log.ts";
