import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Db } from "../db/pool.ts";
import type { Tx } from "../db/transaction.ts";
import type { Jobs } from "../jobs/jobs.ts";

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

/** What an administrator did. */
export type AuditEntry = {
  adminId: string;
  /** The call, such as `credit-user`. */
  action: string;
  /** What it was done to. */
  subjectId: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  clientAddress: string;
};

/**
 * Writes the entry in the transaction that does what it tells. The admin feature keeps the audit, and features below it may
 * not import it: they are given this.
 */
export type RecordAudit = (tx: Tx, entry: AuditEntry) => Promise<void>;

/** Where the built-in carrier simulator listens. Loopback only. */
export type SimulatorAddress = {
  smppPort: number;
  systemId: string;
  password: string;
  /** HTTP port on which the virtual phones can be read, with `controlToken` as bearer. */
  controlPort: number;
  controlToken: string;
};
