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

/** Where the built-in carrier simulator listens. Loopback only. */
export type SimulatorAddress = {
  smppPort: number;
  systemId: string;
  password: string;
  /** HTTP port on which the virtual phones can be read, with `controlToken` as bearer. */
  controlPort: number;
  controlToken: string;
};
