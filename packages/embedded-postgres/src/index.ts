export { findNativeFolder, prepareBinaries, type Binaries } from "./binaries.ts";
export type { EmbeddedLog } from "./settings.ts";
export { findFreePort } from "./free-port.ts";
export { allows, canTraverse, chooseIdentity, EXECUTE, isRoot, PROGRAM_GID, WRITE, type Identity } from "./identity.ts";
export { moveFolderIn } from "./move-folder-in.ts";
export { startEmbeddedPostgres } from "./start-embedded-postgres.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start-embedded-postgres.ts";
