/** What a restore and a move share: an empty database gets the schema of a manifest, then its rows, and checks them. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { z } from "zod";
import { migrate, MIGRATIONS_FOLDER, readMigrations } from "../db/migrate.ts";
import type { Db } from "../db/pool.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { jobQueues } from "../main/job-queues.ts";
import type { Manifest } from "./archive.ts";
import {
  addForeignKey,
  clearTables,
  copyIn,
  createPartition,
  disableTrigger,
  dropForeignKey,
  enableTrigger,
  selectForeignKeys,
  selectPartitions,
  selectTables,
  selectTriggers,
  setSequence,
} from "./backup-store.ts";
import { UnreadableBackupError } from "./seal-stream.ts";

const tableTailSchema = z.object({ rowCount: z.int() });

/** Makes the schema of that time. The next start applies the later migrations to the restored rows. */
export async function makeSchema(db: Db, { migrations: wanted }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map((migration) => [migration.version, migration]));
  const folder = await mkdtemp(join(tmpdir(), "ewebal-schema-"));
  try {
    for (const { version, name, sha256 } of wanted) {
      const own = known.get(version);
      if (own?.sha256 !== sha256)
        throw new Error(
          `what is to be brought in was made by another version of this program (migration ${version}, ${name}); use that version or a newer one`,
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

/** Switches foreign keys and triggers off, because tables arrive in any order. @returns a function that switches them on again. */
export async function openTables(client: Client, manifest: Manifest): Promise<() => Promise<void>> {
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
  };
}

export async function loadTable(
  client: Client,
  { tables }: Manifest,
  name: string,
  entry: { octets: AsyncIterable<Buffer>; tail: () => unknown },
): Promise<number> {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new UnreadableBackupError(`the back-up has a table ${name} that it does not describe`);
  const copy = client.query(copyFrom(copyIn(table)));
  await pipeline(Readable.from(entry.octets), copy);
  const { rowCount } = tableTailSchema.parse(entry.tail());
  if (copy.rowCount !== rowCount)
    throw new UnreadableBackupError(`the table ${name} should have ${rowCount} rows and has ${copy.rowCount}`);
  return rowCount;
}
