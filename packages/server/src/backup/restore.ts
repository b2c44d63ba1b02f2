import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Logger } from "pino";
import { z } from "zod";
import type { Config } from "../base/config.ts";
import { migrate, MIGRATIONS_FOLDER, readMigrations } from "../db/migrate.ts";
import { openLongSession, type Db } from "../db/pool.ts";
import { markRestored } from "../features/delivery/index.ts";
import type { FileStore } from "../files/index.ts";
import { jobQueues } from "../main/job-queues.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { openJobs } from "../jobs/open-jobs.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { sendMailQueue } from "../mail/index.ts";
import { readArchive, type ReadEntry } from "./archive.ts";
import type { Progress } from "./back-up.ts";
import {
  addForeignKey,
  clearTables,
  copyIn,
  createPartition,
  disableTrigger,
  dropForeignKey,
  emptyDatabase,
  enableTrigger,
  endWhatWasOpen,
  isEmptyDatabase,
  selectForeignKeys,
  selectPartitions,
  selectTables,
  selectTriggers,
  selectWaitingMails,
  setSequence,
} from "./backup-store.ts";
import { UnreadableBackupError } from "./seal-stream.ts";

const manifestSchema = z.object({
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ version: z.int(), name: z.string(), sha256: z.string() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().regex(/^-?[0-9]+$/), isCalled: z.boolean() })),
  partitions: z.array(
    z.object({
      name: z.string().regex(/^delivery(?:_part)?_(?:[0-9]{4}_[0-9]{2}|default)$/),
      parent: z.enum(["delivery", "delivery_part"]),
      bound: z.string().regex(/^(?:DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$/),
    }),
  ),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  fileCount: z.int(),
});
type Manifest = z.infer<typeof manifestSchema>;

const headSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("manifest") }),
  z.object({ kind: z.literal("key"), name: z.string().regex(/^[a-z0-9-]+\.key$/) }),
  z.object({ kind: z.literal("table"), name: z.string() }),
  z.object({ kind: z.literal("file"), name: z.string(), contentType: z.string() }),
]);
const tableTailSchema = z.object({ rowCount: z.int() });

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

/** Makes the schema of that time. The next start applies the later migrations to the restored rows. */
async function makeSchema(db: Db, { migrations: wanted }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map((migration) => [migration.version, migration]));
  const folder = await mkdtemp(join(tmpdir(), "ewebal-schema-"));
  try {
    for (const { version, name, sha256 } of wanted) {
      const own = known.get(version);
      if (own?.sha256 !== sha256)
        throw new Error(
          `the back-up was made by another version of this program (migration ${version}, ${name}); restore it with that version or a newer one`,
        );
      const fileName = `${String(version).padStart(4, "0")}_${name}.sql`;
      await cp(join(MIGRATIONS_FOLDER, fileName), join(folder, fileName));
    }
    await migrate(db, folder);
    await installJobs(db, jobQueues);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** Switches foreign keys and triggers off, because tables arrive in any order. @returns a function that switches them on again. */
async function openTables(client: Client, manifest: Manifest): Promise<() => Promise<void>> {
  const columnsOf = new Map((await selectTables(client)).map((table) => [table.name, new Set(table.columns)]));
  for (const { name, columns } of manifest.tables) {
    const own = columnsOf.get(name);
    if (own === undefined || columns.some((column) => !own.has(column)))
      throw new UnreadableBackupError(`the back-up has a table ${name} that this program does not know`);
  }
  const [foreignKeys, triggers] = [await selectForeignKeys(client), await selectTriggers(client)];
  for (const key of foreignKeys) await dropForeignKey(client, key);
  for (const trigger of triggers) await disableTrigger(client, trigger);
  const existing = new Set((await selectPartitions(client)).map(({ name }) => name));
  for (const partition of manifest.partitions)
    if (!existing.has(partition.name)) await createPartition(client, partition);
  await clearTables(client, manifest.tables);
  return async () => {
    for (const sequence of manifest.sequences) await setSequence(client, sequence);
    for (const trigger of triggers) await enableTrigger(client, trigger);
    for (const key of foreignKeys) await addForeignKey(client, key);
    await endWhatWasOpen(client);
  };
}

async function loadTable(client: Client, { tables }: Manifest, name: string, entry: ReadEntry): Promise<number> {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new UnreadableBackupError(`the back-up has a table ${name} that it does not describe`);
  const copy = client.query(copyFrom(copyIn(table)));
  await pipeline(Readable.from(entry.octets), copy);
  const { rowCount } = tableTailSchema.parse(entry.tail());
  if (copy.rowCount !== rowCount)
    throw new UnreadableBackupError(`the table ${name} should have ${rowCount} rows and has ${copy.rowCount}`);
  return rowCount;
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
