import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { smallestIdOf } from "../states.ts";
import {
  createPartition,
  hasRowsInDefault,
  listPartitions,
  lockPartitions,
  type PartitionedTable,
} from "./partition-store.ts";

const TABLES: readonly PartitionedTable[] = ["delivery", "delivery_part"];
/** This month and the next two: a worker that does not run for a month finds its partitions there. */
const MONTHS_AHEAD = 3;

/**
 * Makes the monthly partitions of this month and the next ones. A month that already has rows in the default partition
 * stays there: moving them would lock the table, and one month in the default partition costs nothing.
 *
 * Old months are dropped by an operator; see docs/delivery.md.
 *
 * @returns the names of the partitions made now.
 */
export async function ensurePartitions(db: Db, now: Date): Promise<string[]> {
  return withTransaction(db, async (tx) => {
    await lockPartitions(tx);
    const made: string[] = [];
    for (const table of TABLES) {
      const existing = new Set(await listPartitions(tx, table));
      for (let ahead = 0; ahead < MONTHS_AHEAD; ahead += 1) {
        const partition = monthPartition(table, now, ahead);
        if (existing.has(partition.name) || (await hasRowsInDefault(tx, table, partition))) continue;
        await createPartition(tx, table, partition);
        made.push(partition.name);
      }
    }
    return made;
  });
}

function monthPartition(
  table: PartitionedTable,
  now: Date,
  ahead: number,
): { name: string; fromId: string; toId: string } {
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
  const name = `${table}_${from.getUTCFullYear()}_${String(from.getUTCMonth() + 1).padStart(2, "0")}`;
  return { name, fromId: smallestIdOf(from.getTime()), toId: smallestIdOf(to.getTime()) };
}
