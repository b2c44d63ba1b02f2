import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import type { MessageCounts } from "@ewebal/contract";
import type { Clock } from "../../../base/deps.ts";
import { selectQuietHours } from "../quiet-hours/quiet-hours-store.ts";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { test as databaseTest } from "../../../testing/database.ts";
import { readBalance } from "../../../ledger/index.ts";
import type { BuiltMessage } from "../../../testing/delivery-factories.ts";
import type { MessageChange } from "../engine/change-notifier.ts";
import { WorkerSession } from "../engine/worker-session.ts";
import { releaseWorkers } from "../engine/worker-store.ts";
import { SendMark } from "../send-mark/send-mark.ts";
import { getMessage } from "../lists/list-messages.ts";
import type { FakeCarrier } from "./fake-carrier.ts";

export { listLockWaiters, expect, overlap } from "../../../testing/database.ts";

export type StartSession = (
  carriers: FakeCarrier[],
  settings?: {
    db?: Db;
    dataDir?: string;
    /** That of a session before, as one process has it; otherwise the session is of a process that knows nothing. */
    mark?: SendMark;
    isRefundingFailed?: boolean;
    /** Keeps the quiet hours of the database by this clock; without it none are kept. */
    clock?: Clock;
    onChange?: (change: MessageChange) => void;
  },
) => Promise<WorkerSession>;

/** A test with real PostgreSQL and workers in this process; the fixture stops every worker that the test has not. */
export const test = databaseTest.extend<{ startSession: StartSession }>({
  startSession: async ({ db }, use) => {
    const log = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
    const sessions = new Set<WorkerSession>();
    await use(async (carriers, settings = {}) => {
      const session = new WorkerSession(settings.db ?? db, log, {
        ...(settings.clock && { clock: settings.clock, readQuietHours: () => selectQuietHours(db) }),
        mark: settings.mark ?? new SendMark(settings.db ?? db, log, settings.dataDir),
        // Read at every look: a test may add carriers, and take them away.
        readCarriers: async () => await Promise.resolve(carriers.map(({ definition }) => definition)),
        isRefundingFailed: settings.isRefundingFailed ?? false,
        onChange: settings.onChange ?? (() => undefined),
      });
      sessions.add(session);
      await session.start();
      return session;
    });
    await Promise.all([...sessions].map((session) => session.end()));
  },
});

/** Waits until the condition holds. @throws Error with `what` when it does not in 45 s: machines that test are busy. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 45_000;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error(`It never came true that ${what}`);
    await sleep(5);
  }
}

export async function readCounts(db: Db, message: Pick<BuiltMessage, "userId" | "messageId">): Promise<MessageCounts> {
  return (await getMessage(db, message)).counts;
}

/** Waits until the message's counts are as given; counts that are not named are 0. */
export async function untilCounts(
  db: Db,
  message: Pick<BuiltMessage, "userId" | "messageId">,
  wanted: Partial<MessageCounts>,
): Promise<void> {
  const all = {
    waiting: 0,
    sent: 0,
    delivered: 0,
    failed: 0,
    dnd: 0,
    unknown: 0,
    cancelled: 0,
    optedOut: 0,
    expired: 0,
    ...wanted,
  };
  let last = "";
  await until(`the counts are ${JSON.stringify(wanted)}`, async () => {
    last = JSON.stringify(await readCounts(db, message));
    return last === JSON.stringify(all);
  }).catch((error: unknown) => {
    throw new Error(`the counts are ${last}`, { cause: error });
  });
}

/** What the customer's units are, in thousandths: spent since they had `startMilli`, and held. */
export async function readSpent(
  db: Db,
  userId: string,
  startMilli = 1_000_000_000,
): Promise<{ spentMilli: number; heldMilli: number }> {
  const balance = await readBalance(db, userId);
  return { spentMilli: startMilli - balance.balanceMilli, heldMilli: balance.heldMilli };
}

/**
 * As kill -9 would leave it: nothing more is written, nothing is given back, and the heartbeat is old enough for others
 * to take over at their next look.
 */
export async function killSession(db: Db, session: WorkerSession): Promise<void> {
  const { workerId } = session.stats();
  await session.abandon();
  await db.query("update delivery_worker set heartbeat_at = now() - interval '1 hour' where worker_id = $1", [
    workerId,
  ]);
}

/** What another worker does to one that it believes dead, while that one goes on and does not know it. */
export async function declareDead(db: Db, session: WorkerSession): Promise<void> {
  await withTransaction(db, (tx) => releaseWorkers(tx, [session.stats().workerId]));
}
