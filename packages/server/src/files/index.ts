/** Uploaded files: what they may be, where they lie, and that none is left half. */
export { cleanUpFilesQueue } from "./stored-files.ts";
export type { FileStore } from "./file-store.ts";
export { openFileStore } from "./open-file-store.ts";
export { readUpload, type UploadKind, type UploadOutcome } from "./read-upload.ts";
export { fileNameOf, keepFile, storeFile } from "./stored-files.ts";
