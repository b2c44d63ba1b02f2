import type { Logger } from "pino";
import type { Config, Role } from "../base/config.ts";
import { noteDistribution } from "../db/distribution.ts";
import { createPool } from "../db/pool.ts";
import { systemClock, type Deps } from "../base/deps.ts";
import { createAuditWriter } from "../features/admin/index.ts";
import { openJobs } from "../jobs/open-jobs.ts";

export type RoleSettings = {
  config: Config;
  databaseUrl: string;
  /** For the log and the database's list of sessions. */
  role: Role | "prepare";
  log: Logger;
};

/** @returns what a role's operations are given, and `close` for the end of the process. */
export async function openDeps({
  config,
  databaseUrl,
  role,
  log,
}: RoleSettings): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const db = createPool({
    url: databaseUrl,
    applicationName: `ewebal ${role}`,
    onConnectionLost: (error) => log.warn({ err: error }, "a database connection was lost"),
  });
  await noteDistribution(db);
  const { jobs, stop } = await openJobs(db, log);
  return {
    deps: { config, db, jobs, clock: systemClock, log, recordAudit: createAuditWriter(systemClock) },
    close: async () => {
      await stop();
      await db.end();
    },
  };
}

/** What `role-process.ts` is given by a role that runs. */
export type RunningRole = { stop: () => Promise<void> };
