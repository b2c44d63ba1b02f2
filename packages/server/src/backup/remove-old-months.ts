import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { to as copyTo } from "pg-copy-streams";
import type { Client } from "pg";
import { ADVISORY_LOCK } from "../db/advisory.ts";
import { openLongSession } from "../db/pool.ts";
import type { Deps } from "../base/deps.ts";
import { removeOldMonths, type WriteMonth } from "../features/delivery/index.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import { writeArchive, type Entry } from "./archive.ts";

/** Every night at 02:47 UTC, after the back-up, on one worker's machine, when KEEP_MONTHS is set. */
export const removeOldMonthsQueue: JobQueue = {
  name: "remove-old-months",
  retriesMax: 2,
  retryDelaySeconds: 600,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 12 * 3_600,
  concurrency: 2,
  cron: "47 2 * * *",
  handle: async (deps) => await keepMonths(deps),
};

/** Writes each month that is older than KEEP_MONTHS to `BACKUP_DIR/recipients-YYYY-MM.export`, then removes it. */
export async function keepMonths({
  db,
  config: { keepMonths: monthsKept, backupDir, backupKey },
  clock,
  log,
}: Pick<Deps, "db" | "config" | "clock" | "log">): Promise<void> {
  if (monthsKept === undefined || backupDir === undefined) return;
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  const client = await openLongSession(db);
  try {
    const { rows } = await client.query<{ isOurs: boolean }>(
      `select pg_try_advisory_lock(${ADVISORY_LOCK.oldMonths}) as "isOurs"`,
    );
    if (rows[0]?.isOurs !== true) return;
    const write: WriteMonth = async (month, copies) => {
      const name = await freeName(backupDir, month);
      await writeArchive(join(backupDir, name), backupKey, entriesOf(client, copies));
      return name;
    };
    for (const { month, outcome, openMessages } of await removeOldMonths(client, {
      now: clock.now(),
      monthsKept,
      write,
    })) {
      if (outcome === "removed") log.info({ month }, "the recipients of a month were written to a file and removed");
      else if (outcome === "open")
        log.warn({ month, openMessages }, "a month stays until its open messages are sent or cancelled");
    }
  } finally {
    // The lock ends with the session.
    await client.end();
  }
}

async function* entriesOf(client: Client, copies: Readonly<Record<string, string>>): AsyncGenerator<Entry> {
  for (const [name, copy] of Object.entries(copies)) {
    const rows = client.query(copyTo(copy));
    yield { head: { kind: "export", name }, octets: rows, tail: () => ({ rowCount: rows.rowCount }) };
  }
}

/** A month has several files when some of its messages went on after it was removed. */
async function freeName(folder: string, month: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let count = 1; ; count += 1) {
    const name = `recipients-${month}${count === 1 ? "" : `-${count}`}.export`;
    if (!taken.has(name)) return name;
  }
}
