/** All SQL about partitions. Names and bounds are made by ensure-partitions.ts, never by anybody outside. */
import assert from "node:assert/strict";
import { ADVISORY_LOCK } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

/**
 * How full a page is written, in percent. A delivery is updated once, by its report, and mostly in one statement with all others of its page: with
 * a fifth kept free three in four found no room there and had to be entered in both indexes anew (12.2 us a report and 430 octets of
 * log, against 5.5 us and 128 octets with half of it free). Nobody updates a part.
 */
const FILL_PERCENT = { delivery: 50, delivery_part: 100 } as const;

export type PartitionedTable = keyof typeof FILL_PERCENT;
export type Partition = { name: string; fromId: string; toId: string };

/** Workers that start together make partitions one after the other; the second finds them there. */
export async function lockPartitions(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK.deliveryPartitions]);
}

export async function listPartitions(db: Queryable, table: PartitionedTable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass",
    [table],
  );
  return rows.map((row) => row.name);
}

export async function hasRowsInDefault(
  db: Queryable,
  table: PartitionedTable,
  { fromId, toId }: Partition,
): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>(
    `select exists (select 1 from ${table}_default where message_id >= $1 and message_id < $2) as exists`,
    [fromId, toId],
  );
  return rows[0]?.exists === true;
}

export async function createPartition(
  tx: Tx,
  table: PartitionedTable,
  { name, fromId, toId }: Partition,
): Promise<void> {
  assert(/^[a-z_]+_\d{4}_\d{2}$/.test(name) && /^[0-9a-f-]{36}$/.test(fromId) && /^[0-9a-f-]{36}$/.test(toId));
  await tx.query(
    `create table ${name} partition of ${table} for values from ('${fromId}') to ('${toId}') with (fillfactor = ${FILL_PERCENT[table]})`,
  );
}
