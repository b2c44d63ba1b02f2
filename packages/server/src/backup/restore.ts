import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
import type { Config } from "../base/config.ts";
import { openLongSession, type Db } from "../db/pool.ts";
import { markRestored } from "../features/delivery/index.ts";
import type { FileStore } from "../files/index.ts";
import { openJobs } from "../jobs/open-jobs.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { sendMailQueue } from "../mail/index.ts";
import { manifestSchema, readArchive, type Manifest, type ReadEntry } from "./archive.ts";
import type { Progress } from "./back-up.ts";
import { emptyDatabase, endWhatWasOpen, isEmptyDatabase, selectWaitingMails } from "./backup-store.ts";
import { loadTable, makeSchema, openTables } from "./load-tables.ts";
import { UnreadableBackupError } from "./seal-stream.ts";

const headSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("manifest") }),
  z.object({ kind: z.literal("key"), name: z.string().regex(/^[a-z0-9-]+\.key$/) }),
  z.object({ kind: z.literal("table"), name: z.string() }),
  z.object({ kind: z.literal("file"), name: z.string(), contentType: z.string() }),
]);

export type RestoreSummary = Progress & { createdAt: Date; heldCount: number };

export type RestoreTarget = {
  db: Db;
  files: FileStore;
  config: Pick<Config, "dataDir" | "backupKey">;
  log: Logger;
  onProgress?: (progress: Progress) => void;
};

/**
 * Restores a back-up into an empty database, completely or not at all. It makes the schema of that time, writes the rows in one
 * transaction that checks every foreign key and the ledger, then writes files and keys. Messages that may have gone out since
 * then are held. Sessions are not restored.
 *
 * @throws Error with a sentence for the operator: the database is not empty, the program is older than the back-up, the key differs, ...
 */
export async function restore(
  path: string,
  { db, files, config, log, onProgress }: RestoreTarget,
): Promise<RestoreSummary> {
  const progress = { tableCount: 0, tablesDone: 0, rowCount: 0, fileCount: 0, filesDone: 0 };
  const tell = (): void => onProgress?.(progress);
  const entries = readArchive(path, config.backupKey);
  try {
    const manifest = await readManifest(entries);
    Object.assign(progress, { tableCount: manifest.tables.length, fileCount: manifest.fileCount });
    if (!(await isEmptyDatabase(db)))
      throw new Error(
        "the database is not empty; restore into an empty one, and keep the old one until the new one is in order",
      );
    try {
      await makeSchema(db, manifest);
      const heldCount = await loadDatabase({ db, files, config }, manifest, entries, progress, tell);
      await enqueueMails(db, log);
      return { ...progress, createdAt: new Date(manifest.createdAt), heldCount };
    } catch (error) {
      // Empties the database again, so that the next try can start.
      await emptyDatabase(db);
      throw error;
    }
  } finally {
    await entries.return(undefined);
  }
}

async function readManifest(entries: AsyncGenerator<ReadEntry>): Promise<Manifest> {
  const { value } = await entries.next();
  const entry = value as ReadEntry | undefined;
  if (entry === undefined || headSchema.parse(entry.head).kind !== "manifest")
    throw new UnreadableBackupError("the back-up does not begin with what is in it");
  return manifestSchema.parse(JSON.parse((await gather(entry.octets)).toString()));
}

async function loadDatabase(
  target: Pick<RestoreTarget, "db" | "files" | "config">,
  manifest: Manifest,
  entries: AsyncGenerator<ReadEntry>,
  progress: Progress,
  tell: () => void,
): Promise<number> {
  const client = await openLongSession(target.db);
  try {
    await client.query("begin isolation level read committed");
    const finish = await openTables(client, manifest);
    for await (const entry of entries) {
      const head = headSchema.parse(entry.head);
      if (head.kind === "table") progress.rowCount += await loadTable(client, manifest, head.name, entry);
      else if (head.kind === "key") await putKey(target.config.dataDir, head.name, await gather(entry.octets));
      else if (head.kind === "file")
        await target.files.put({ name: head.name, contentType: head.contentType, bytes: await gather(entry.octets) });
      if (head.kind === "table") progress.tablesDone += 1;
      if (head.kind === "file") progress.filesDone += 1;
      tell();
    }
    await finish();
    await endWhatWasOpen(client);
    const broken = (await readLedgerInvariants(client)).filter(({ violations }) => violations > 0);
    if (broken.length > 0)
      throw new Error(`the ledger in the back-up does not add up (${broken.map(({ name }) => name).join("; ")})`);
    const heldCount = await markRestored(client, `the back-up of ${manifest.createdAt} was restored`);
    await client.query("commit");
    return heldCount;
  } finally {
    await client.end();
  }
}

/** Refuses to overwrite a different key: it opens the secrets of another installation. */
async function putKey(dataDir: string, name: string, bytes: Buffer): Promise<void> {
  const folder = join(dataDir, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!(await readFile(path)).equals(bytes))
      throw new Error(`${path} is another key than the one in the back-up; move it away, or use another DATA_DIR`, {
        cause: error,
      });
  }
}

/** Queues the mails that waited at that time. A mail that arrives twice is better than one that never arrives. */
async function enqueueMails(db: Db, log: Logger): Promise<void> {
  const { jobs, stop } = await openJobs(db, log);
  try {
    for (const mailId of await selectWaitingMails(db)) await jobs.enqueue(db, sendMailQueue.name, { mailId });
  } finally {
    await stop();
  }
}

async function gather(octets: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of octets) chunks.push(chunk);
  return Buffer.concat(chunks);
}
