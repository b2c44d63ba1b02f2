import type { Queryable } from "../../../db/pool.ts";

/** Deposits that their customers see, in any state: what all their lists of transfers add up to. */
export async function countDeposits(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) as count from deposit where hidden_at is null");
  return rows[0]?.count ?? 0;
}
