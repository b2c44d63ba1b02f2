/** A file is held in memory as a whole while it is stored or read. */
export const STORED_FILE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Where uploaded files lie. A file is written once under a name that was never used before, never changed, and found again
 * by that name from any machine that has the same settings.
 */
export type FileStore = {
  /** Once it resolves the file survives a crash. A file of this name is replaced whole, never half. */
  put: (file: { name: string; bytes: Uint8Array; contentType: string }) => Promise<void>;
  /** @returns undefined when there is no such file. */
  get: (name: string) => Promise<Buffer | undefined>;
  /** A file that is not there is fine. */
  remove: (name: string) => Promise<void>;
  close: () => void;
};

/** Names are made here, never by clients: two letters that spread the files, an id, and the type. */
const NAME_FORM = /^[0-9a-f]{2}\/[0-9a-f-]{36}\.[a-z]{3}$/;

/** A name that is none of ours must not reach a path or an address, whatever the caller was talked into. */
export function assertFileName(name: string): void {
  if (!NAME_FORM.test(name)) throw new Error("This is no name of a stored file");
}
