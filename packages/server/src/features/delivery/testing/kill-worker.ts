import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { WorkerLife } from "../engine/worker-session.ts";
import { releaseWorkers } from "../engine/worker-store.ts";

/**
 * As kill -9 would leave it: nothing more is written, nothing is given back, and the heartbeat is old enough for others
 * to take over at their next look.
 */
export async function killLife(db: Db, life: WorkerLife): Promise<void> {
  const { workerId } = life.stats();
  await life.abandon();
  await db.query("update delivery_worker set heartbeat_at = now() - interval '1 hour' where worker_id = $1", [
    workerId,
  ]);
}

/** What another worker does to one that it believes dead, while that one lives on and does not know it. */
export async function declareDead(db: Db, life: WorkerLife): Promise<void> {
  await withTransaction(db, (tx) => releaseWorkers(tx, [life.stats().workerId]));
}
