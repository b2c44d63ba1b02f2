import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Db } from "./db/pool.ts";
import type { Jobs } from "./jobs/jobs.ts";

/** The time, so that tests can move it. */
export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

/** What operations are given instead of globals. Made once per process in `role-process.ts`, per test in the fixtures. */
export type Deps = {
  config: Config;
  db: Db;
  jobs: Jobs;
  clock: Clock;
  log: Logger;
};
