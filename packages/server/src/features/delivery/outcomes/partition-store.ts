/** All SQL about partitions. Names and bounds are made by ensure-partitions.ts, never by anybody outside. */
import assert from "node:assert/strict";
import { ADVISORY_LOCK } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

export type PartitionedTable = "delivery" | "delivery_part";
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
    `select exists (select from ${table}_default where message_id >= $1 and message_id < $2) as exists`,
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
  // Rows are updated once, by their report: a fifth of each page is kept free for that.
  await tx.query(
    `create table ${name} partition of ${table} for values from ('${fromId}') to ('${toId}') with (fillfactor = 80)`,
  );
}
