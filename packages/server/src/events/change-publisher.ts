import { notify } from "../db/listen.ts";
import type { Queryable } from "../db/pool.ts";
import type { Change } from "./changes.ts";
import { audienceName, EVENT_CHANNEL, writeChange } from "./hint.ts";

/** Pages redraw no faster; a worker that flushes 1,000 times a second sends 40 hints. */
export const COALESCE_DELAY_MS = 25;
/** While the database is away, changes are merged and kept until it is back. */
export const PUBLISH_RETRY_DELAY_MS = 1_000;

/** Publishes changes that are already committed. Calls are merged, so it is cheap to call for every row. */
export type ChangePublisher = {
  publish: (change: Change) => void;
  /** Publishes what is left and stops. Call it before the pool ends. */
  close: () => Promise<void>;
};

/**
 * For writers that commit more often than pages redraw, such as the delivery worker: publishing in each transaction
 * would make every commit wait for PostgreSQL's one notification lock.
 *
 * @param onError called when a statement fails; it is retried.
 */
export function createChangePublisher(db: Queryable, onError: (error: unknown) => void): ChangePublisher {
  let pending = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isClosed = false;

  const add = (audience: string, topics: Iterable<string>): void => {
    const known = pending.get(audience) ?? new Set();
    for (const topic of topics) known.add(topic);
    pending.set(audience, known);
  };
  const schedule = (delayMs: number): void => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = flush();
    }, delayMs);
  };
  const flush = async (): Promise<void> => {
    if (pending.size === 0) return;
    const said = pending;
    pending = new Map();
    try {
      const payloads = [...said].map(([audience, topics]) => writeChange(audience, topics));
      await notify(db, EVENT_CHANNEL, payloads);
    } catch (error) {
      onError(error);
      for (const [audience, topics] of said) add(audience, topics);
      schedule(PUBLISH_RETRY_DELAY_MS);
    }
    if (pending.size > 0) schedule(COALESCE_DELAY_MS);
  };

  return {
    publish: (change) => {
      for (const hint of change) add(audienceName(hint), hint.topics);
      schedule(COALESCE_DELAY_MS);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running;
      await flush();
    },
  };
}
