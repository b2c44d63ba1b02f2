import type { Deps } from "../base/deps.ts";

/**
 * One kind of job: declared once, as a constant, by the feature that does the work, and listed in `job-queues.ts`.
 * A job that throws is tried again after a growing delay; after the last try it lands in the dead-letter queue, where
 * an operator finds it for two weeks.
 */
export type JobQueue = {
  /** Small letters, digits and dashes. */
  name: string;
  /** Tries after the first one. */
  retriesMax: number;
  /** Doubled for each retry, with jitter. */
  retryDelaySeconds: number;
  retryDelaySecondsMax: number;
  /** A run that takes longer is given to another worker. */
  runSecondsMax: number;
  /** How many jobs of this kind one process does at a time; at least 2. */
  concurrency: number;
  /** Five cron fields in UTC: one job at each of these times, whichever process is alive. */
  cron?: string;
  /** Does the work. May run twice for one job, also at the same time; must not rely on running soon. */
  handle: (deps: Deps, ids: Record<string, string>) => Promise<void>;
};

/** Holds the jobs that failed every time. */
export const DEAD_LETTER_QUEUE = "dead-letter";
