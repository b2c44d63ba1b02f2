import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Config } from "../base/config.ts";
import { openLongSession, type Db } from "../db/pool.ts";
import { fileNameOf, type FileStore } from "../files/index.ts";
import { writeArchive, type Entry, type Manifest } from "./archive.ts";
import {
  copyOut,
  selectApplied,
  selectKeptFiles,
  selectPartitions,
  selectSequences,
  selectTables,
} from "./backup-store.ts";

/** Counts of what a back-up holds, while it is written and at its end. */
export type Progress = {
  tableCount: number;
  tablesDone: number;
  rowCount: number;
  fileCount: number;
  filesDone: number;
};

export type BackupSummary = Progress & { createdAt: Date; byteCount: number; missingFiles: string[] };

export type BackupSource = {
  db: Db;
  files: FileStore;
  config: Pick<Config, "dataDir" | "backupKey" | "secretsKey">;
  onProgress?: (progress: Progress) => void;
};

/**
 * Writes a back-up while the product works: one snapshot of the database, the files that it names, and the keys of the data
 * directory. It leaves out what the environment holds (`SECRETS_KEY`, carriers, mail server) and the trial mailbox.
 *
 * @throws Error when the file exists or cannot be written. Then no partial file remains.
 */
export async function backUp(path: string, { db, files, config, onProgress }: BackupSource): Promise<BackupSummary> {
  if (await isThere(path)) throw new Error(`${path} exists already; name another file`);
  const client = await openLongSession(db);
  const summary: BackupSummary = {
    createdAt: new Date(),
    tableCount: 0,
    tablesDone: 0,
    rowCount: 0,
    fileCount: 0,
    filesDone: 0,
    byteCount: 0,
    missingFiles: [],
  };
  try {
    // All tables are read from one snapshot, which blocks no writer.
    await client.query("begin isolation level repeatable read read only");
    await writeArchive(
      path,
      config.backupKey,
      entriesOf(client, files, config, summary, () => onProgress?.(summary)),
    );
  } finally {
    await client.end();
  }
  summary.byteCount = (await stat(path)).size;
  return summary;
}

/** What a target needs to know before the rows come. */
export async function describeDatabase(client: Client, now: Date, fileCount: number): Promise<Manifest> {
  return {
    createdAt: now.toISOString(),
    migrations: await selectApplied(client),
    sequences: await selectSequences(client),
    partitions: await selectPartitions(client),
    tables: await selectTables(client),
    fileCount,
  };
}

async function* entriesOf(
  client: Client,
  files: FileStore,
  config: BackupSource["config"],
  summary: BackupSummary,
  tell: () => void,
): AsyncGenerator<Entry> {
  const { rows } = await client.query<{ now: Date }>("select now()");
  summary.createdAt = rows[0]?.now ?? summary.createdAt;
  const keptFiles = await selectKeptFiles(client);
  const manifest = await describeDatabase(client, summary.createdAt, keptFiles.length);
  Object.assign(summary, { tableCount: manifest.tables.length, fileCount: keptFiles.length });
  yield { head: { kind: "manifest" }, octets: once(Buffer.from(JSON.stringify(manifest))) };
  for (const { name, bytes } of await readKeys(config)) yield { head: { kind: "key", name }, octets: once(bytes) };
  for (const table of manifest.tables) {
    const copy = client.query(copyTo(copyOut(table)));
    yield { head: { kind: "table", name: table.name }, octets: copy, tail: () => ({ rowCount: copy.rowCount }) };
    summary.tablesDone += 1;
    summary.rowCount += copy.rowCount;
    tell();
  }
  await client.query("commit");
  for (const file of keptFiles) {
    const name = fileNameOf(file);
    const bytes = await files.get(name);
    if (bytes === undefined) summary.missingFiles.push(name);
    else yield { head: { kind: "file", name, contentType: file.contentType }, octets: once(bytes) };
    summary.filesDone += 1;
    tell();
  }
}

function once(bytes: Buffer): AsyncIterable<Buffer> {
  return Readable.from([bytes]);
}

async function readKeys({ dataDir, secretsKey }: BackupSource["config"]): Promise<{ name: string; bytes: Buffer }[]> {
  const folder = join(dataDir, "secrets");
  try {
    const names = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith(".key"))
      .map(({ name }) => name);
    return await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return [];
    // Root owns the folder. A worker with another user may still read the files in it.
    if (code === "EACCES" && secretsKey !== undefined)
      return [{ name: "secrets.key", bytes: Buffer.from(`${secretsKey.toString("base64")}\n`) }];
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
