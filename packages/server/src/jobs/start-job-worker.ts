import { type ConstructorOptions, PgBoss, type JobResult, type JobWithMetadata } from "pg-boss";
import type { Deps } from "../base/deps.ts";
import { openSpan } from "../base/tracing.ts";
import { connectionSettings } from "../db/primary.ts";
import { BOSS_SCHEMA } from "./open-jobs.ts";
import type { JobQueue } from "./job-queue.ts";

export type JobWorkerSettings = {
  /** The database's address: the worker listens for new jobs on a connection of its own. */
  databaseUrl: string;
  /** How long `stop` waits for running jobs. What is still running then is tried again by another worker. */
  stopTimeoutMs?: number;
};

const STOP_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 4;
/** How soon the jobs of a dead worker are noticed once its heartbeat is overdue. */
const SUPERVISE_SECONDS = 5;
/** While no notification can be heard; a job usually starts within milliseconds of its commit. */
const POLL_SECONDS = 2;
/** Otherwise a look finds jobs that are tried again or begin later: nobody is told when their time comes. */
const QUIET_POLL_SECONDS_MAX = 10;

/**
 * Does the jobs of these queues until it is stopped. Any number of processes may; each job goes to one of them.
 *
 * @returns `stop`: takes no new jobs, waits for the running ones, and closes its connections.
 */
export async function startJobWorker(
  deps: Deps,
  queues: readonly JobQueue[],
  settings: JobWorkerSettings,
): Promise<{ stop: () => Promise<void> }> {
  const { log } = deps;
  const boss = new PgBoss({
    // Handed on to the driver as they are.
    ...(connectionSettings(settings.databaseUrl) as ConstructorOptions),
    application_name: "ewebal-jobs",
    max: CONNECTIONS_MAX,
    schema: BOSS_SCHEMA,
    migrate: false,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    notifyHeartbeatIntervalMs: POLL_SECONDS * 1000,
  });
  boss.on("error", (error) => log.error({ err: error }, "the job worker met an error"));
  boss.on("warning", (warning) => log.warn({ warning: warning.message }, "the job worker met a difficulty"));
  await boss.start();
  for (const queue of queues) await workOn(boss, deps, queue);
  return { stop: async () => await boss.stop({ graceful: true, timeout: settings.stopTimeoutMs ?? STOP_TIMEOUT_MS }) };
}

async function workOn(boss: PgBoss, deps: Deps, queue: JobQueue): Promise<void> {
  const options = {
    batchSize: queue.concurrency,
    // Without this a backlog would be worked off at one batch for each poll.
    burstWhenBatchFull: true,
    perJobResults: true,
    includeMetadata: true,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: Math.min(QUIET_POLL_SECONDS_MAX, Math.max(POLL_SECONDS, queue.retryDelaySeconds)),
  } as const;
  await boss.work(queue.name, options, async (jobs: JobWithMetadata<Record<string, string>>[]) => {
    return await Promise.all(jobs.map((job) => runJob(deps, queue, job)));
  });
}

async function runJob(deps: Deps, queue: JobQueue, job: JobWithMetadata<Record<string, string>>): Promise<JobResult> {
  const span = openSpan(`job ${queue.name}`, { kind: "consumer", facts: { "ewebal.try": job.retryCount + 1 } });
  try {
    await queue.handle(deps, job.data);
    span?.end();
    return { id: job.id, status: "completed" };
  } catch (error) {
    span?.end({}, true);
    const facts = { err: error, queue: queue.name, jobId: job.id, ids: job.data, retryCount: job.retryCount };
    if (job.retryCount < job.retryLimit) deps.log.warn(facts, "a job failed and will be tried again");
    else deps.log.error(facts, "a job failed every time and lies in the dead-letter queue");
    return {
      id: job.id,
      status: "failed",
      output: { message: error instanceof Error ? error.message : String(error) },
    };
  }
}
