import { setTimeout as sleep } from "node:timers/promises";
import { isDistributed } from "../db/distribution.ts";
import type { Db } from "../db/pool.ts";
import type { Tx } from "../db/transaction.ts";
import { withTransaction } from "../db/transaction.ts";

/** A second transaction that neither ends nor waits for the first in this time is stuck on something else. */
const OVERLAP_TIMEOUT_MS = 10_000;
const POLL_DELAY_MS = 5;

/**
 * Runs two transactions so that they certainly overlap: the first has done its work and is still uncommitted when the
 * second starts, and it commits only when PostgreSQL shows the second waiting for one of its locks (or the second has
 * ended). Unlike `Promise.all`, it fails every time when a lock is missing. `second` may also open transactions of its
 * own on `db` instead of using the one it is given.
 *
 * @returns what became of each, as `Promise.allSettled` says it.
 */
export async function overlap<First, Second>(
  db: Db,
  first: (tx: Tx) => Promise<First>,
  second: (tx: Tx) => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const worked = Promise.withResolvers<number | undefined>();
  const mayCommit = Promise.withResolvers<void>();
  const firstRun = withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
    const value = await first(tx);
    worked.resolve(rows[0]?.pid);
    await mayCommit.promise;
    return value;
  }).finally(() => worked.resolve(undefined));
  const firstSettled = Promise.allSettled([firstRun]);

  const firstPid = await worked.promise;
  let isSecondOver = false;
  const secondSettled = Promise.allSettled([withTransaction(db, second)]).finally(() => {
    isSecondOver = true;
  });
  try {
    if (firstPid !== undefined) await waitUntilBlocked(db, firstPid, () => isSecondOver);
  } finally {
    mayCommit.resolve();
  }
  const [[firstResult], [secondResult]] = await Promise.all([firstSettled, secondSettled]);
  return [firstResult, secondResult];
}

const BLOCKED = `select exists (
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and $1 = any (pg_blocking_pids(pid))
  ) as blocked`;

/** Locks are waited for where the rows lie; Citus names both by the coordinator's number and their process there. */
const BLOCKED_IN_CLUSTER = `select exists (
    select 1 from citus_lock_waits where blocking_gpid % 10000000000 = $1
  ) as blocked`;

/** The sessions of the test's database that wait for a lock of another, by the process that serves each. */
export async function listLockWaiters(db: Db): Promise<{ pid: number; application: string }[]> {
  const waits = isDistributed(db)
    ? "pid in (select waiting_gpid % 10000000000 from citus_lock_waits)"
    : "wait_event_type = 'Lock'";
  const { rows } = await db.query<{ pid: number; application: string }>(
    `select pid, application_name as application from pg_stat_activity where datname = current_database() and ${waits}`,
  );
  return rows;
}

async function waitUntilBlocked(db: Db, blockerPid: number, isOver: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + OVERLAP_TIMEOUT_MS;
  while (!isOver()) {
    const { rows } = await db.query<{ blocked: boolean }>(isDistributed(db) ? BLOCKED_IN_CLUSTER : BLOCKED, [
      blockerPid,
    ]);
    if (rows[0]?.blocked === true) return;
    if (Date.now() > deadlineMs)
      throw new Error("overlap: the second transaction neither ended nor waited for the first");
    await sleep(POLL_DELAY_MS);
  }
}
