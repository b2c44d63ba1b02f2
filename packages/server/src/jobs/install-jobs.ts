import { PgBoss } from "pg-boss";
import { SCHEMA_STAYS_HERE } from "../db/distribution.ts";
import { takeMigrationLock } from "../db/migrate.ts";
import type { Db } from "../db/pool.ts";
import { BOSS_SCHEMA, bossDatabase } from "./open-jobs.ts";
import { DEAD_LETTER_QUEUE, type JobQueue } from "./job-queue.ts";

/**
 * A worker without a heartbeat for this long counts as dead, and its jobs go to another. The least that pg-boss allows.
 */
const HEARTBEAT_SECONDS = 10;

/**
 * Brings the job tables to what this version needs and declares every queue and its times. Part of the migration step;
 * any number of processes may do so at once, because all but one wait for the migration lock.
 */
export async function installJobs(db: Db, queues: readonly JobQueue[]): Promise<void> {
  const client = await db.connect();
  const boss = new PgBoss({
    db: bossDatabase(client),
    schema: BOSS_SCHEMA,
    supervise: false,
    schedule: false,
    reindex: false,
  });
  let failure: unknown;
  boss.on("error", (error) => (failure ??= error));
  try {
    await client.query(`set statement_timeout = 0`);
    await takeMigrationLock(client);
    // The job tables stay at the coordinator of a cluster, whatever becomes of the customers' rows.
    await client.query(SCHEMA_STAYS_HERE);
    await boss.start();
    await declareQueues(boss, queues);
    await boss.stop({ graceful: false });
    if (failure !== undefined) throw failure;
  } finally {
    // Closing the session drops its settings and the lock.
    client.release(true);
  }
}

async function declareQueues(boss: PgBoss, queues: readonly JobQueue[]): Promise<void> {
  await boss.createQueue(DEAD_LETTER_QUEUE, { retryLimit: 0, notify: false });
  for (const queue of queues) {
    const options = {
      retryLimit: queue.retriesMax,
      retryDelay: queue.retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: queue.retryDelaySecondsMax,
      expireInSeconds: queue.runSecondsMax,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deadLetter: DEAD_LETTER_QUEUE,
      notify: true,
    };
    await boss.createQueue(queue.name, options);
    await boss.updateQueue(queue.name, options); // The queue may be there already, with an older version's options.
    if (queue.cron === undefined) await boss.unschedule(queue.name);
    else await boss.schedule(queue.name, queue.cron, {}, { tz: "UTC" });
  }
}
