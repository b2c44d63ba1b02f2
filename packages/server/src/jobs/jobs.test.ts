// The real pg-boss on the test's own database. Waiting is bounded by `waitFor`; nothing sleeps for a guess.
import { PgBoss } from "pg-boss";
import { pino } from "pino";
import { vi } from "vitest";
import { readConfig } from "../base/config.ts";
import { createPool } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { systemClock, type Deps } from "../base/deps.ts";
import { expect, test as base } from "../testing/database.ts";
import { installJobs } from "./install-jobs.ts";
import { DEAD_LETTER_QUEUE, type JobQueue } from "./job-queue.ts";
import type { Jobs } from "./jobs.ts";
import { openJobs } from "./open-jobs.ts";
import { startJobWorker } from "./start-job-worker.ts";

const log = pino({ level: "silent" });

function queueOf(handle: JobQueue["handle"], facts: Partial<JobQueue> = {}): JobQueue {
  return {
    name: "try-things",
    retriesMax: 1,
    retryDelaySeconds: 1,
    retryDelaySecondsMax: 1,
    runSecondsMax: 60,
    concurrency: 2,
    handle,
    ...facts,
  };
}

type Fixtures = {
  jobs: Jobs;
  startWorker: (queue: JobQueue) => Promise<{ stop: () => Promise<void> }>;
};

const test = base.extend<Fixtures>({
  jobs: async ({ db }, use) => {
    await installJobs(db, [queueOf(async () => {})]);
    const opened = await openJobs(db, log);
    await use(opened.jobs);
    await opened.stop();
  },
  startWorker: async ({ db, databaseUrl, jobs }, use) => {
    const deps: Deps = { config: readConfig({}), db, jobs, clock: systemClock, log, recordAudit: async () => {} };
    const workers: { stop: () => Promise<void> }[] = [];
    await use(async (queue) => {
      const worker = await startJobWorker(deps, [queue], { databaseUrl });
      workers.push(worker);
      return worker;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  },
});

async function countJobs(db: Deps["db"], queue: string, state: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from pgboss.job where name = $1 and state::text = $2",
    [queue, state],
  );
  return rows[0]?.count ?? 0;
}

test("a job of a transaction that is rolled back never exists", async ({ db, jobs }) => {
  const failed = withTransaction(db, async (tx) => {
    await jobs.enqueue(tx, "try-things", { id: "1" });
    throw new Error("the work failed");
  });
  await expect(failed).rejects.toThrow("the work failed");
  expect(await countJobs(db, "try-things", "created")).toBe(0);
});

test("a queue that nobody declared takes no job", async ({ db, jobs }) => {
  await expect(jobs.enqueue(db, "unheard-of", {})).rejects.toThrow("Queue unheard-of does not exist");
});

test("a job starts when its transaction commits, not before", async ({ db, jobs, startWorker }) => {
  const done: string[] = [];
  await startWorker(queueOf(async (_deps, ids) => void done.push(ids["id"] ?? "")));
  await withTransaction(db, async (tx) => {
    await jobs.enqueue(tx, "try-things", { id: "7" });
    expect(await countJobs(db, "try-things", "created")).toBe(0);
    expect(done).toEqual([]);
  });
  // Polling alone would take up to 2 s.
  await vi.waitFor(() => expect(done).toEqual(["7"]), 2_000);
});

test("a job that may start later waits", async ({ db, jobs, startWorker }) => {
  const done: string[] = [];
  await jobs.enqueue(db, "try-things", { id: "late" }, { startAfterMs: 60_000 });
  await jobs.enqueue(db, "try-things", { id: "now" });
  await startWorker(queueOf(async (_deps, ids) => void done.push(ids["id"] ?? "")));
  await vi.waitFor(() => expect(done).toEqual(["now"]), 8_000);
  expect(await countJobs(db, "try-things", "created")).toBe(1);
});

test("a job that fails is tried again; after the last try it lies in the dead-letter queue", async ({
  db,
  jobs,
  startWorker,
}) => {
  let tries = 0;
  await jobs.enqueue(db, "try-things", { id: "3" });
  await startWorker(
    queueOf(() => {
      tries += 1;
      return Promise.reject(new Error("still broken"));
    }),
  );
  await vi.waitFor(async () => expect(await countJobs(db, DEAD_LETTER_QUEUE, "created")).toBe(1), 15_000);
  expect(tries).toBe(2);
});

test("two workers share the jobs, and each job is done once", async ({ db, jobs, startWorker }) => {
  const done: string[] = [];
  const queue = queueOf(async (_deps, ids) => void done.push(ids["id"] ?? ""));
  for (let id = 0; id < 20; id += 1) await jobs.enqueue(db, "try-things", { id: String(id) });
  await Promise.all([startWorker(queue), startWorker(queue)]);
  await vi.waitFor(async () => expect(await countJobs(db, "try-things", "completed")).toBe(20), 15_000);
  expect(done.toSorted()).toEqual(Array.from({ length: 20 }, (_, id) => String(id)).toSorted());
});

test("the job of a worker that was killed goes to another, once its sign of life is overdue", async ({
  db,
  databaseUrl,
  jobs,
  startWorker,
}) => {
  await jobs.enqueue(db, "try-things", { id: "orphan" });
  // Fetching without ever completing or giving a sign of life is what a killed worker leaves behind.
  const killed = new PgBoss({
    connectionString: databaseUrl,
    schema: "pgboss",
    migrate: false,
    supervise: false,
    schedule: false,
  });
  await killed.start();
  expect(await killed.fetch("try-things")).toHaveLength(1);
  await killed.stop({ graceful: false });
  const { rows } = await db.query("select heartbeat_seconds from pgboss.job where name = 'try-things'");
  expect(rows).toEqual([{ heartbeat_seconds: 10 }]);
  await db.query(
    "update pgboss.job set heartbeat_on = now() - interval '11 seconds', started_on = now() - interval '11 seconds' where name = 'try-things'",
  );

  const done: string[] = [];
  await startWorker(queueOf(async (_deps, ids) => void done.push(ids["id"] ?? "")));
  await vi.waitFor(() => expect(done).toEqual(["orphan"]), 15_000);
});

test("stopping waits for the job that is running", async ({ db, jobs, startWorker }) => {
  const started = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const worker = await startWorker(
    queueOf(async () => {
      started.resolve();
      await mayEnd.promise;
    }),
  );
  await jobs.enqueue(db, "try-things", { id: "1" });
  await started.promise;
  const stopped = worker.stop();
  mayEnd.resolve();
  await stopped;
  expect(await countJobs(db, "try-things", "completed")).toBe(1);
});

test("processes that start together install once; a queue's new options and times replace the old", async ({
  databaseUrl,
  db,
}) => {
  const pools = [1, 2, 3].map(() => createPool({ url: databaseUrl }));
  const queue = queueOf(async () => {});
  await Promise.all(pools.map((pool) => installJobs(pool, [{ ...queue, cron: "0 3 * * *" }])));
  await Promise.all(pools.map((pool) => pool.end()));
  const { rows: schedules } = await db.query("select name, cron from pgboss.schedule");
  expect(schedules).toEqual([{ name: "try-things", cron: "0 3 * * *" }]);

  await installJobs(db, [{ ...queue, retriesMax: 9 }]);
  const { rows } = await db.query("select retry_limit from pgboss.queue where name = 'try-things'");
  expect(rows).toEqual([{ retry_limit: 9 }]);
  expect((await db.query("select name from pgboss.schedule")).rows).toEqual([]);
});
