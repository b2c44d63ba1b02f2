import type { Queryable } from "./pool.ts";

/** What a customer has of one kind: the newest ids, and how many there are. */
export type OwnedSummary = { userId: string; newestIds: string[]; count: number };

/**
 * Reads what several customers have of one kind. A customer's ids and count come from the rows of that customer alone, so a cluster
 * answers where the rows lie.
 *
 * @param kind SQL: the table, its id column, and which rows count. Never from a request.
 * @param idsMax how many of the newest ids of each customer.
 * @returns one entry for each of these customers.
 */
export async function selectOwnedSummaries(
  db: Queryable,
  kind: { table: string; idColumn: string; condition?: string },
  userIds: readonly string[],
  idsMax: number,
): Promise<OwnedSummary[]> {
  const { table, idColumn, condition = "true" } = kind;
  const { rows } = await db.query<OwnedSummary>(
    `select owner.user_id as "userId", owner.count,
       array(
         select ${idColumn} from ${table} where ${table}.user_id = owner.user_id and ${condition} order by ${idColumn} desc limit $2
       ) as "newestIds"
     from (select user_id, count(*) as count from ${table} where user_id = any ($1::uuid[]) and ${condition} group by user_id) as owner`,
    [userIds, idsMax],
  );
  const found = new Map(rows.map((row) => [row.userId, row]));
  return userIds.map((userId) => found.get(userId) ?? { userId, newestIds: [], count: 0 });
}
