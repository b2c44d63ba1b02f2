/** All SQL about kept wrong rows. */
import type { Queryable } from "../../../db/pool.ts";

export async function insertWrongRows(
  db: Queryable,
  rows: { userId: string; wrongRowsId: string; csv: string; createdAt: Date },
): Promise<void> {
  await db.query("insert into wrong_rows (user_id, wrong_rows_id, csv, created_at) values ($1, $2, $3, $4)", [
    rows.userId,
    rows.wrongRowsId,
    rows.csv,
    rows.createdAt,
  ]);
}

export async function findWrongRows(
  db: Queryable,
  asked: { userId: string; wrongRowsId: string; keptSince: Date },
): Promise<string | undefined> {
  const { rows } = await db.query<{ csv: string }>(
    "select csv from wrong_rows where user_id = $1 and wrong_rows_id = $2 and created_at > $3",
    [asked.userId, asked.wrongRowsId, asked.keptSince],
  );
  return rows[0]?.csv;
}

/** @returns how many were deleted. */
export async function deleteWrongRowsBefore(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query("delete from wrong_rows where created_at <= $1", [before]);
  return rowCount ?? 0;
}
