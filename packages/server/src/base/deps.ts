import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Db } from "../db/pool.ts";
import type { Tx } from "../db/transaction.ts";
import type { Jobs } from "../jobs/jobs.ts";

/** The time, so that tests can move it. */
export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

/** What an administrator did, or somebody of a customer's account. */
export type AuditEntry = ({ adminId: string } | { personId: string }) & {
  /** The call, such as `credit-a-user`. */
  action: string;
  /** What it was done to, when that has an id. */
  subjectId?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  clientAddress: string;
};

/** Writes an audit entry in the transaction of the act. The admin feature keeps the audit, and no feature below may import it. */
export type RecordAudit = (tx: Tx, entry: AuditEntry) => Promise<void>;

/** What operations are given instead of globals. Made once per process in `role-deps.ts`, per test in the fixtures. */
export type Deps = {
  config: Config;
  db: Db;
  jobs: Jobs;
  clock: Clock;
  log: Logger;
  recordAudit: RecordAudit;
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
