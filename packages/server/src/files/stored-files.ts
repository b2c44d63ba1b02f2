/**
 * Nothing half: a file and what needs it live in two places that share no transaction. So the intention is written first,
 * then the bytes, and the transaction that needs the file marks it.
 *
 *   begun -> kept                 the transaction that needs the file
 *   begun -> removing -> gone     one hour later, when nothing came to need it
 *
 * Whatever is killed in between leaves a row that says what to clear away; the store is never searched.
 */
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../base/deps.ts";
import { AppError } from "../base/errors.ts";
import type { Queryable } from "../db/pool.ts";
import type { Tx } from "../db/transaction.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { FileStore } from "./file-store.ts";
import { openFileStore } from "./open-file-store.ts";
import { deleteFileRow, insertFile, markKept, markOrphans, type StoredFile } from "./stored-file-store.ts";

/** Much longer than any request lasts. */
export const ORPHAN_AGE_MS = 60 * 60_000;
const ORPHANS_PER_STEP = 100;

type StoreDeps = Pick<Deps, "db" | "clock">;
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

/** Says in the caller's transaction that something needs the file. @throws AppError `UNAVAILABLE` when it took an hour to say so. */
export async function keepFile(
  { clock }: Pick<Deps, "clock">,
  tx: Tx,
  file: { userId: string; fileId: string },
): Promise<void> {
  if (!(await markKept(tx, file, clock.now()))) throw new AppError("UNAVAILABLE");
}

/**
 * Removes what nothing came to need. A file that cannot be removed keeps no other one.
 *
 * @returns how many files.
 * @throws what the store said of the first file that it did not remove.
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

/** The row goes last: killed between the two, the next run finds it and removes a file that is gone, which is fine. */
async function removeFile(db: Queryable, store: FileStore, file: StoredFile): Promise<void> {
  await store.remove(fileNameOf(file));
  await deleteFileRow(db, file);
}

/** Every hour: clears away files that were stored and never came to be needed, because their request failed or was killed. */
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
