import type { Queryable } from "../db/pool.ts";

/**
 * Work that happens after the answer. A job carries ids, not data, and its handler may run twice. It is written in the
 * caller's transaction, so that it exists exactly when the rows it refers to exist.
 */
export type Jobs = {
  /**
   * @param tx open transaction of the caller, or the pool.
   * @param name the queue, declared once by the feature that handles it.
   * @param ids what the handler needs to find the work again.
   * @param options startAfterMs delays the first run.
   */
  enqueue: (
    tx: Queryable,
    name: string,
    ids: Record<string, string>,
    options?: { startAfterMs?: number },
  ) => Promise<void>;
};
