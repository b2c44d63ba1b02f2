import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Db } from "../db/pool.ts";
import { BOSS_SCHEMA, bossDatabase } from "./boss-database.ts";
import type { Jobs } from "./jobs.ts";

/**
 * What a process needs to hand out jobs; doing them is `startJobWorker`'s part. The tables must be installed.
 *
 * @returns the jobs, and `stop`, which the owner calls before it ends the pool.
 */
export async function openJobs(db: Db, log: Logger): Promise<{ jobs: Jobs; stop: () => Promise<void> }> {
  const boss = new PgBoss({
    db: bossDatabase(db),
    schema: BOSS_SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "handing out jobs failed"));
  await boss.start();
  const jobs: Jobs = {
    enqueue: async (tx, name, ids, options = {}) => {
      const startAfter = Math.ceil((options.startAfterMs ?? 0) / 1000);
      const jobId = await boss.send(name, ids, { db: bossDatabase(tx), startAfter });
      if (jobId === null) throw new Error(`The queue ${name} took no job`);
    },
  };
  return { jobs, stop: async () => await boss.stop({ graceful: false }) };
}
