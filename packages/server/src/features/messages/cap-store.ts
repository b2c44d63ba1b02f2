/** All SQL about daily limits. */
import type { Queryable } from "../../db/pool.ts";

type Key = { userId: string; code: string };

export async function hasCap(db: Queryable, key: Key): Promise<boolean> {
  const { rows } = await db.query("select from daily_cap where user_id = $1 and code = $2", [key.userId, key.code]);
  return rows.length > 0;
}

/**
 * Counts recipients of a day where they still fit; another send of the same customer and country waits until the transaction ends.
 *
 * @param use day as YYYY-MM-DD.
 * @returns whether they did.
 */
export async function useCap(tx: Queryable, key: Key, use: { recipients: number; day: string }): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update daily_cap
     set recipients_used = case when day = $4::date then recipients_used else 0 end + $3::integer, day = $4::date
     where user_id = $1 and code = $2 and case when day = $4::date then recipients_used else 0 end + $3::integer <= recipients_max`,
    [key.userId, key.code, use.recipients, use.day],
  );
  return rowCount === 1;
}

export async function upsertCap(tx: Queryable, key: Key, recipientsMax: number): Promise<void> {
  await tx.query(
    `insert into daily_cap (user_id, code, recipients_max) values ($1, $2, $3)
     on conflict (user_id, code) do update set recipients_max = excluded.recipients_max`,
    [key.userId, key.code, recipientsMax],
  );
}

export async function deleteCap(tx: Queryable, key: Key): Promise<void> {
  await tx.query("delete from daily_cap where user_id = $1 and code = $2", [key.userId, key.code]);
}
