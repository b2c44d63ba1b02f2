import type { Readable } from "node:stream";

/** An upload is held in memory as a whole while it is stored or read. */
export const STORED_FILE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Stores uploaded files. A file is written once under a new name, never changes, and can be read by that name from any
 * machine with the same settings.
 */
export type FileStore = {
  /** Once it resolves, the file survives a crash. A file of this name is replaced as a whole. */
  put: (file: { name: string; bytes: Uint8Array; contentType: string }) => Promise<void>;
  /** As `put`, of a file of any size on this machine; it may be moved. */
  putAt: (file: { name: string; path: string; byteCount: number; contentType: string }) => Promise<void>;
  /** A file of any size, read as it is wanted. @returns undefined when there is no such file. */
  stream: (name: string) => Promise<Readable | undefined>;
  /** @returns undefined when there is no such file. */
  get: (name: string) => Promise<Buffer | undefined>;
  /** Does nothing when there is no such file. */
  remove: (name: string) => Promise<void>;
  close: () => void;
};

/** Names come from this server, never from clients: two letters that spread the files, an id, and the type. */
const NAME_FORM = /^[0-9a-f]{2}\/[0-9a-f-]{36}\.[a-z]{3}$/;

/** Keeps foreign names out of paths and addresses. */
export function assertFileName(name: string): void {
  if (!NAME_FORM.test(name)) throw new Error("This is not the name of a stored file");
}
