import { notify } from "../db/notify.ts";
import type { Queryable } from "../db/pool.ts";
import type { Change } from "./changes.ts";
import { audienceName, EVENT_CHANNEL, writeChange } from "./hint.ts";

/** A page cannot show more than this; a worker that flushes 1,000 times a second makes 40 hints of it. */
export const COALESCE_DELAY_MS = 25;
/** The database is away; what was to be said is kept, merged, and said when it is back. */
export const PUBLISH_RETRY_DELAY_MS = 1_000;

/** Publishes changes that are committed already. Cheap to call for every row: calls are merged. */
export type ChangePublisher = {
  publish: (change: Change) => void;
  /** Says what is still unsaid and stops. Call it before the pool ends. */
  close: () => Promise<void>;
};

/**
 * For whoever commits much more often than a page can redraw, such as the delivery worker. In a transaction of its own
 * such a writer would queue for PostgreSQL's one notification lock at every commit.
 *
 * @param onError told when a statement failed; it is tried again.
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
