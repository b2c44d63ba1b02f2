/**
 * `npm run move`: from the embedded database to a server, while nobody works on either.
 *
 *     check the target -> mark DATA_DIR (running programs stop, no start is let in) -> wait for the last session -> read-only
 *       -> schema -> rows, compared, in one transaction with the note "has ended" -> mark the old database as moved
 *
 * Whatever the moment of a kill, the mark in DATA_DIR keeps the old database from being worked on, and the target's note says whether it is
 * whole: the next run goes on from there. A run that fails takes back the mark, unless the target may be whole.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import { readMovedMark, removeMovedMark, writeMovedMark, type MovedMark } from "../base/moved-mark.ts";
import { openLongSession, type Db, type Queryable } from "../db/pool.ts";
import { markMoved } from "../features/delivery/index.ts";
import { openJobs } from "../jobs/open-jobs.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { jobQueues } from "../main/job-queues.ts";
import type { Manifest } from "./archive.ts";
import { describeDatabase, type Progress } from "./back-up.ts";
import { copyOut, emptyDatabase, isEmptyDatabase, type Table } from "./backup-store.ts";
import { loadTable, makeSchema, openTables } from "./load-tables.ts";
import {
  analyze,
  digestTable,
  readMoveNote,
  selectOtherSessions,
  selectTargetFacts,
  selectWaitingJobs,
  setReadOnly,
  setWords,
  tryMoveLock,
  writeMoveNote,
  type Digest,
} from "./move-store.ts";

const VERSION_NUMBER_MIN = 150_000;
/** A worker hands back a whole window of each carrier first, and requests that run have ten seconds. */
const STOP_TIMEOUT_MS = 120_000;
const POLL_DELAY_MS = 100;

export type Move = {
  source: Db;
  target: Db;
  /** Host, port and database of the target, for people. */
  to: string;
  dataDir: string;
  log: Logger;
  onProgress: (progress: Progress | string) => void;
};

export type MoveSummary = { rowCount: number; tableCount: number; jobCount: number; wasDone: boolean };

/**
 * Moves every row, or none.
 *
 * @throws Error with a sentence for the operator: the target is not empty, too old, ..., or the product does not stop.
 */
export async function move({ source: from, target, to, dataDir, log, onProgress }: Move): Promise<MoveSummary> {
  const earlier = readMovedMark(dataDir);
  if (earlier !== undefined && earlier.to !== to)
    throw new Error(
      `a move to ${earlier.to} ${earlier.isDone ? "is done" : "has begun; end it with that address, or give it up with --cancel"}`,
    );
  if (earlier?.isDone === true) return { rowCount: 0, tableCount: 0, jobCount: 0, wasDone: true };
  const moveId = earlier?.moveId ?? uuidv7();
  const mark = (isDone: boolean): MovedMark => ({ moveId, to, isDone, at: new Date().toISOString() });
  const isWhole = await checkTarget(target, moveId);
  const source = await openLongSession(from, "ewebal move");
  try {
    await waitFor(() => tryMoveLock(source), isBusy);
    writeMovedMark(dataDir, mark(false));
    let summary: MoveSummary | undefined;
    if (!isWhole) {
      try {
        await freeze(source, onProgress);
        summary = await copyAll({ source, target, moveId, log, onProgress });
      } catch (error) {
        if (await tryToTakeBack(source, target, dataDir)) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${reason}; run this again to end the move, or give it up with --cancel`, { cause: error });
      }
    }
    writeMovedMark(dataDir, mark(true));
    await writeMoveNote(target, undefined);
    return summary ?? { rowCount: 0, tableCount: 0, jobCount: 0, wasDone: true };
  } finally {
    await source.end();
  }
}

/** Gives up a move that was interrupted: the embedded database may be started again. */
export async function cancelMove(from: Db, dataDir: string): Promise<string | undefined> {
  const mark = readMovedMark(dataDir);
  if (mark === undefined) return undefined;
  if (mark.isDone)
    throw new Error(`the move to ${mark.to} is done, and what was done there since is not in the old database`);
  const source = await openLongSession(from, "ewebal move");
  try {
    await waitFor(() => tryMoveLock(source), isBusy);
    await setReadOnly(source, false);
    removeMovedMark(dataDir);
    return mark.to;
  } finally {
    await source.end();
  }
}

/** @returns whether an earlier run has brought all rows. @throws Error for the operator when the target cannot take them. */
async function checkTarget(target: Db, moveId: string): Promise<boolean> {
  await assertTargetFits(target);
  const note = await readMoveNote(target);
  if (note?.moveId === moveId) {
    if (note.isWhole) return true;
    await emptyDatabase(target);
  }
  if (!(await isEmptyDatabase(target))) throw new Error("the target is not empty; make a new database for it");
  return false;
}

export async function assertTargetFits(target: Queryable): Promise<void> {
  const facts = await selectTargetFacts(target);
  if (facts === undefined) throw new Error("the target did not say what it is");
  const { versionNumber, version, isStandby, isUtf8, hasTrigrams, isOwner, role } = facts;
  if (versionNumber < VERSION_NUMBER_MIN)
    throw new Error(`the target is PostgreSQL ${version}, and 15 is the oldest that will do`);
  if (isStandby) throw new Error("the target is a standby, which takes no rows; name the primary");
  if (!isUtf8) throw new Error("the target's encoding is not UTF8; make a database with that encoding");
  if (!hasTrigrams) throw new Error("the target lacks the extension pg_trgm; install PostgreSQL's contrib packages");
  if (!isOwner) throw new Error(`${role} does not own the target; make a database with that owner`);
}

const isBusy = (): string => "another move of this database is at work";

async function waitFor(isSo: () => Promise<boolean>, otherwise: () => string): Promise<void> {
  const deadlineMs = Date.now() + STOP_TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadlineMs) throw new Error(otherwise());
    await sleep(POLL_DELAY_MS);
  }
}

/**
 * Waits until nobody works on the database. Sessions that begin after it became read-only write nothing; those before it have ended when
 * the second wait is over.
 */
async function freeze(source: Client, onProgress: Move["onProgress"]): Promise<void> {
  let names: string[] = [];
  const isLeftAlone = async (): Promise<boolean> => {
    names = await selectOtherSessions(source);
    if (names.length > 0) onProgress(`Waiting until they have stopped: ${names.join(", ")}`);
    return names.length === 0;
  };
  const isUsed = (): string =>
    `the database is still used (${names.join(", ")}); stop these programs, then run this again`;
  await waitFor(isLeftAlone, isUsed);
  await setReadOnly(source, true);
  await waitFor(isLeftAlone, isUsed);
}

type Copying = { source: Client; target: Db; moveId: string; log: Logger; onProgress: Move["onProgress"] };

async function copyAll({ source, target, moveId, log, onProgress }: Copying): Promise<MoveSummary> {
  await source.query("begin isolation level repeatable read read only");
  await setWords(source);
  const manifest = await describeDatabase(source, new Date(), 0);
  const names = jobQueues.filter(({ cron }) => cron === undefined).map(({ name }) => name);
  const waitingJobs = await selectWaitingJobs(source, names);
  await writeMoveNote(target, { moveId, isWhole: false });
  onProgress("Making the tables");
  await makeSchema(target, manifest);
  const client = await openLongSession(target, "ewebal move");
  try {
    await client.query("begin isolation level read committed");
    await setWords(client);
    const progress = { tableCount: manifest.tables.length, tablesDone: 0, rowCount: 0, fileCount: 0, filesDone: 0 };
    const finish = await openTables(client, manifest);
    for (const table of manifest.tables) {
      progress.rowCount += await copyTable(source, client, manifest, table);
      progress.tablesDone += 1;
      onProgress(progress);
    }
    onProgress("Checking");
    await finish();
    for (const table of manifest.tables) {
      onProgress(`Comparing ${table.name}`);
      assertSame(table.name, await digestTable(source, table), await digestTable(client, table));
    }
    const broken = (await readLedgerInvariants(client)).filter(({ violations }) => violations > 0);
    if (broken.length > 0) throw new Error(`the ledger does not add up (${broken.map(({ name }) => name).join("; ")})`);
    await markMoved(client);
    await analyze(client);
    const { jobs, stop } = await openJobs(target, log);
    for (const { name, data, delayMs } of waitingJobs)
      await jobs.enqueue(client, name, data ?? {}, { startAfterMs: delayMs });
    await stop();
    await writeMoveNote(client, { moveId, isWhole: true });
    await client.query("commit");
    return {
      rowCount: progress.rowCount,
      tableCount: progress.tableCount,
      jobCount: waitingJobs.length,
      wasDone: false,
    };
  } finally {
    await client.end();
  }
}

async function copyTable(source: Client, target: Client, manifest: Manifest, table: Table): Promise<number> {
  const copy = source.query(copyTo(copyOut(table)));
  return await loadTable(target, manifest, table.name, { octets: copy, tail: () => ({ rowCount: copy.rowCount }) });
}

export function assertSame(name: string, old: Digest, moved: Digest): void {
  if (old.rowCount !== moved.rowCount || old.digest !== moved.digest)
    throw new Error(`the table ${name} is not the same in both databases`);
}

/**
 * Leaves the mark where the target may be whole: a commit whose answer did not come, a target that does not answer any more.
 *
 * @returns whether everything is as before.
 */
async function tryToTakeBack(source: Client, target: Db, dataDir: string): Promise<boolean> {
  try {
    const note = await readMoveNote(target);
    if (note?.isWhole === true) return false;
    if (note !== undefined) await emptyDatabase(target);
    await source.query("rollback");
    await setReadOnly(source, false);
  } catch {
    // The caller reports why the move failed, and that it is still under way.
    return false;
  }
  removeMovedMark(dataDir);
  return true;
}
