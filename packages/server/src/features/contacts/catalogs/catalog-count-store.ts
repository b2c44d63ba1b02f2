import type { Queryable } from "../../../db/pool.ts";

/** The contact lists of all customers. */
export async function countCatalogs(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) as count from catalog");
  return rows[0]?.count ?? 0;
}
