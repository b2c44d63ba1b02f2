/** Uploaded files: which are accepted, where they are stored, and how unneeded ones are removed. */
export { cleanUpFilesQueue, openFileStore } from "./stored-files.ts";
export type { FileStore } from "./file-store.ts";
export { readUpload, type UploadKind, type UploadOutcome } from "./read-upload.ts";
export { ERASED_CONTENT_TYPE } from "./stored-file-store.ts";
export { fileNameOf, keepFile, storeFile, storeFileAt } from "./stored-files.ts";
