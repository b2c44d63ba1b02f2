import type { Logger } from "pino";
import { migrate } from "../db/migrate.ts";
import type { Db } from "../db/pool.ts";
import { ensurePartitions } from "../features/delivery/index.ts";
import { jobQueues } from "./job-queues.ts";
import { installJobs } from "../jobs/install-jobs.ts";

/**
 * Brings a database to what this version needs. Any number of processes may do so at once.
 *
 * @returns whether it was empty, which one of them is told.
 */
export async function prepareDatabase(db: Db, log: Logger): Promise<boolean> {
  const applied = await migrate(db);
  for (const { version, name } of applied) log.info({ version, name }, "migration applied");
  await installJobs(db, jobQueues);
  await ensurePartitions(db, new Date());
  return applied.some(({ version }) => version === 1);
}
