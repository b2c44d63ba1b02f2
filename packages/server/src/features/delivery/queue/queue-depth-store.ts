/** SQL of the figures that are watched. Both counts walk partial indexes that hold open batches alone. */
import type { Queryable } from "../../../db/pool.ts";

/** @returns how many batches wait for a worker, and how many are in one's hands. */
export async function readQueueDepth(db: Queryable): Promise<{ readyCount: number; leasedCount: number }> {
  const { rows } = await db.query<{ readyCount: number; leasedCount: number }>(
    `select (select count(*) from message_batch where state = 1) as "readyCount",
            (select count(*) from message_batch where state = 2) as "leasedCount"`,
  );
  return rows[0] ?? { readyCount: 0, leasedCount: 0 };
}
