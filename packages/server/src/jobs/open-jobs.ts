import { type Db as BossDatabase, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Db, Queryable } from "../db/pool.ts";
import type { Jobs } from "./jobs.ts";

/**
 * Lets a process enqueue jobs; `startJobWorker` does them. The tables must be installed.
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
  boss.on("error", (error) => log.error({ err: error }, "pg-boss reported an error"));
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

/** pg-boss keeps its tables in a schema of its own. */
export const BOSS_SCHEMA = "pgboss";

/** Lets pg-boss run its statements on our pool, or inside a caller's open transaction. */
export function bossDatabase(queryable: Queryable): BossDatabase {
  return { executeSql: async (text, values) => await queryable.query(text, values) };
}
