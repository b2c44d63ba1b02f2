/**
 * A file and the rows that need it live in two places that share no transaction. So the row of the file is written
 * first, then the bytes, and the transaction that needs the file marks it as kept.
 *
 *   begun -> kept                 the transaction that needs the file
 *   begun -> removing -> gone     one hour later, when nothing came to need it
 *
 * A process that is killed in between leaves a row that says what to remove; the store is never searched.
 */
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../base/deps.ts";
import { AppError } from "../base/errors.ts";
import type { Queryable } from "../db/pool.ts";
import type { Tx } from "../db/transaction.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { FileStore } from "./file-store.ts";
import { deleteFileRow, insertFile, markKept, markOrphans, type StoredFile } from "./stored-file-store.ts";
import type { Config } from "../base/config.ts";
import { openFolderStore } from "./folder-store.ts";

/** Much longer than any request lasts. */
export const ORPHAN_AGE_MS = 60 * 60_000;
const ORPHANS_PER_STEP = 100;

type StoreDeps = Pick<Deps, "db" | "clock">;
type StoredFileFacts = Omit<StoredFile, "fileId">;
/** The column's; a larger file is stored all the same. */
const BYTE_COUNT_MAX = 2 ** 31 - 1;
type Upload = { userId: string; extension: string; contentType: string; bytes: Uint8Array };

/** The file's name in the store. The last letters of a UUIDv7 are random: they spread the files over 256 folders. */
export function fileNameOf({ fileId, extension }: Pick<StoredFile, "fileId" | "extension">): string {
  return `${fileId.slice(-2)}/${fileId}.${extension}`;
}

/**
 * Stores the bytes. They are cleared away again unless `keepFile` follows.
 *
 * @returns the new file's id.
 * @throws AppError `UNAVAILABLE` or `STORAGE_FULL`.
 */
export async function storeFile({ db, clock }: StoreDeps, store: FileStore, upload: Upload): Promise<string> {
  const { bytes, contentType, ...facts } = upload;
  const file = { ...facts, contentType, fileId: uuidv7(), byteCount: bytes.length };
  await insertFile(db, file, clock.now());
  await store.put({ name: fileNameOf(file), bytes, contentType });
  return file.fileId;
}

/** As `storeFile`, of a file of any size that lies on this machine. */
export async function storeFileAt(
  { db, clock }: StoreDeps,
  store: FileStore,
  { path, ...facts }: StoredFileFacts & { path: string },
): Promise<string> {
  const file = { ...facts, fileId: uuidv7() };
  await insertFile(db, { ...file, byteCount: Math.min(file.byteCount, BYTE_COUNT_MAX) }, clock.now());
  const { byteCount, contentType } = file;
  await store.putAt({ name: fileNameOf(file), path, byteCount, contentType });
  return file.fileId;
}

/**
 * Marks the file as needed, in the caller's transaction.
 *
 * @throws AppError `UNAVAILABLE` when the file was removed after an hour.
 */
export async function keepFile(
  { clock }: Pick<Deps, "clock">,
  tx: Tx,
  file: { userId: string; fileId: string },
): Promise<void> {
  if (!(await markKept(tx, file, clock.now()))) throw new AppError("UNAVAILABLE");
}

/**
 * Removes the files that nothing needs. A file that cannot be removed does not stop the others.
 *
 * @returns how many files.
 * @throws the error of the first file that could not be removed.
 */
export async function removeOrphans(deps: StoreDeps, store: FileStore): Promise<number> {
  const now = deps.clock.now();
  const times = { now, madeBefore: new Date(now.getTime() - ORPHAN_AGE_MS) };
  const failures: unknown[] = [];
  let total = 0;
  for (let isMore = true; isMore;) {
    const orphans = await markOrphans(deps.db, times, ORPHANS_PER_STEP);
    let removedCount = 0;
    for (const orphan of orphans) {
      try {
        await removeFile(deps.db, store, orphan);
        removedCount += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    total += removedCount;
    isMore = orphans.length === ORPHANS_PER_STEP && removedCount > 0;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

/**
 * Deletes the row last: after a crash in between the next run finds it and removes the missing file again, which is
 * harmless.
 */
async function removeFile(db: Queryable, store: FileStore, file: StoredFile): Promise<void> {
  await store.remove(fileNameOf(file));
  await deleteFileRow(db, file);
}

/** Removes, every hour, files that nothing needs because their request failed or was killed. */
export const cleanUpFilesQueue: JobQueue = {
  name: "clean-up-files",
  retriesMax: 3,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 1_800,
  concurrency: 2,
  cron: "43 * * * *",
  handle: async (deps) => {
    const store = await openFileStore(deps.config);
    try {
      const fileCount = await removeOrphans(deps, store);
      if (fileCount > 0) deps.log.info({ fileCount }, "removed files that nothing needs");
    } finally {
      store.close();
    }
  },
};

/** The folder in `DATA_DIR`, or the store that `FILE_STORE` names. Both throw AppError `UNAVAILABLE` or an `ENOSPC` error. */
export async function openFileStore(
  { fileStore, dataDir }: Pick<Config, "fileStore" | "dataDir">,
  what: "uploads" | "large files" = "uploads",
): Promise<FileStore> {
  if (fileStore === undefined) return openFolderStore(dataDir);
  // 15 MB of program that most installations never need.
  const { LARGE_TIMEOUTS, openS3Store } = await import("./s3-store.ts");
  return what === "uploads" ? openS3Store(fileStore) : openS3Store(fileStore, LARGE_TIMEOUTS);
}
