/**
 * A customer's export: asked for by an owner, made by a job, loaded by an owner for seven days, once in each session.
 *
 * waiting -> done -> (seven days after it was asked for) gone; waiting -> failed (a day without a result), and another one may be asked for.
 */
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DATA_EXPORT_DAYS } from "@ewebal/contract";
import { to as copyTo } from "pg-copy-streams";
import { v7 as uuidv7, validate as isUuid } from "uuid";
import { ZipFile } from "yazl";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import { openLongSession } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import { fileNameOf, keepFile, openFileStore, storeFileAt } from "../../files/index.ts";
import type { Session } from "../../http/session/session.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { writeMail } from "../../mail/index.ts";
import { findCustomer } from "../accounts/index.ts";
import {
  type DataExport,
  deleteOldExports,
  endExport,
  filesOfExport,
  findExport,
  findNewestExport,
  giveUpExports,
  insertExport,
  noteDownload,
} from "./export-store.ts";
import { exportReadyMail } from "./privacy-mails.ts";

const DAY_MS = 24 * 3_600_000;
/** A job that has not ended by then does not end any more. */
const MAKING_MAX_MS = DAY_MS;
const EXPORT_FILE = { extension: "zip", contentType: "application/zip" };

/** Asks for an export. While one is being made, that is the one. */
export async function requestExport(
  deps: Deps,
  request: { session: Session; userId: string; clientAddress: string },
): Promise<void> {
  const { session, userId, clientAddress } = request;
  const now = deps.clock.now();
  await withTransaction(deps.db, async (tx) => {
    await giveUpExports(tx, userId, new Date(now.getTime() - MAKING_MAX_MS));
    const requestId = uuidv7();
    if (!(await insertExport(tx, { requestId, userId, askedBy: session.actorId, now }))) return;
    await deps.recordAudit(tx, { personId: session.actorId, action: "export-data", subjectId: userId, clientAddress });
    await deps.jobs.enqueue(tx, exportDataQueue.name, { requestId });
  });
}

export type ListedExport = DataExport & { until: Date };

/** The newest export of a customer that is not over. */
export async function viewExport(
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: string,
): Promise<ListedExport | undefined> {
  const found = await findNewestExport(db, userId);
  if (found === undefined || untilOf(found) <= clock.now()) return undefined;
  return { ...found, until: untilOf(found) };
}

const untilOf = ({ createdAt, doneAt }: DataExport): Date =>
  new Date((doneAt ?? createdAt).getTime() + DATA_EXPORT_DAYS * DAY_MS);

/**
 * The file of an export, for one download in this session.
 *
 * @throws AppError `NOT_FOUND` for another account's, one that is not ready and one that is over; `STATE_CONFLICT` for the second download.
 */
export async function openExport(
  deps: Deps,
  request: { session: Session; userId: string; exportId: string },
): Promise<{ bytes: Readable; byteCount: number }> {
  const { session, userId, exportId } = request;
  const found = await findExport(deps.db, exportId);
  const now = deps.clock.now();
  if (found?.userId !== userId || found.fileId === null || untilOf(found) <= now) throw new AppError("NOT_FOUND");
  const store = await openFileStore(deps.config);
  const bytes = await store.stream(fileNameOf({ fileId: found.fileId, ...EXPORT_FILE }));
  if (bytes === undefined) {
    store.close();
    throw new AppError("NOT_FOUND");
  }
  bytes.once("close", () => store.close());
  if (!(await noteDownload(deps.db, { requestId: exportId, sessionId: session.sessionId, now }))) {
    bytes.destroy();
    throw new AppError("STATE_CONFLICT", {
      message: "You have downloaded this file. Sign out and in again to download it once more",
    });
  }
  return { bytes, byteCount: found.byteCount ?? 0 };
}

/** Makes the file, and mails that it is ready. A run that is killed begins anew; what it wrote is cleared away. */
export const exportDataQueue: JobQueue = {
  name: "export-data",
  retriesMax: 3,
  retryDelaySeconds: 30,
  retryDelaySecondsMax: 600,
  runSecondsMax: 6 * 3_600,
  concurrency: 2,
  handle: async (deps, { requestId = "" }) => await makeExport(deps, requestId),
};

async function makeExport(deps: Deps, requestId: string): Promise<void> {
  const { db, config, clock } = deps;
  const request = await findExport(db, requestId);
  if (request?.state !== "waiting") return;
  const { userId } = request;
  const parent = join(config.dataDir, "exports");
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, "export-"));
  const store = await openFileStore(config, "large files");
  try {
    const path = join(folder, "export.zip");
    await writeZip(deps, userId, path);
    const { size: byteCount } = await stat(path);
    const fileId = await storeFileAt(deps, store, { userId, path, byteCount, ...EXPORT_FILE });
    await withTransaction(db, async (tx) => {
      const now = clock.now();
      if (!(await endExport(tx, { requestId, fileId, byteCount, now }))) return;
      await keepFile(deps, tx, { userId, fileId });
      const reader = await findCustomer(tx, userId);
      const until = new Date(now.getTime() + DATA_EXPORT_DAYS * DAY_MS);
      if (reader !== undefined) await writeMail(deps, tx, exportReadyMail(config, reader, until));
    });
  } finally {
    store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One row after the other goes from the database through the packer to the disk; none waits in memory. */
async function writeZip({ db }: Deps, userId: string, path: string): Promise<void> {
  if (!isUuid(userId)) throw new Error("an export is of an account");
  const client = await openLongSession(db, "ewebal export");
  try {
    const zip = new ZipFile();
    const writing = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
    zip.on("error", (error: Error) => (zip.outputStream as Readable).destroy(error));
    for (const { name, copy } of filesOfExport(userId))
      zip.addReadStreamLazy(name, {}, (give) => {
        const rows = client.query(copyTo(copy));
        rows.once("error", (error: Error) => (zip.outputStream as Readable).destroy(error));
        give(null, rows);
      });
    zip.end();
    await writing;
  } finally {
    await client.end();
  }
}

/** Every hour: exports that are over go. */
export const oldExportsQueue: JobQueue = {
  name: "old-exports",
  retriesMax: 3,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 600,
  concurrency: 2,
  cron: "23 * * * *",
  handle: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - (DATA_EXPORT_DAYS + 1) * DAY_MS);
    await withTransaction(db, async (tx) => void (await deleteOldExports(tx, before)));
  },
};
