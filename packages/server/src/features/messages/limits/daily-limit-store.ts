/** All SQL about daily limits. */
import type { Queryable } from "../../../db/pool.ts";

type Key = { userId: string; code: string };

/** What a send takes of a day (YYYY-MM-DD), and the limit of those who have none of their own. */
export type DailyUse = Key & { recipients: number; day: string; defaultMax: number };

export type DailyLimit = { code: string; recipientsMax: number | null; usedToday: number };

/** @returns undefined for a customer who never sent to that country and has no limit of their own. */
export async function findDailyLimit(db: Queryable, key: Key, day: string): Promise<DailyLimit | undefined> {
  const { rows } = await db.query<DailyLimit>({
    name: "daily-limit",
    text: `${SELECT_DAILY_LIMITS} and code = $3`,
    values: [key.userId, day, key.code],
  });
  return rows[0];
}

/** In order of code; at most one for each country. */
export async function selectDailyLimits(db: Queryable, userId: string, day: string): Promise<DailyLimit[]> {
  const { rows } = await db.query<DailyLimit>(`${SELECT_DAILY_LIMITS} order by code`, [userId, day]);
  return rows;
}

const SELECT_DAILY_LIMITS = `
  select code, recipients_max as "recipientsMax", case when day = $2::date then recipients_used else 0 end as "usedToday"
  from daily_cap where user_id = $1`;

/**
 * Counts recipients of a day if they still fit; another send of the same customer and country waits until the transaction ends.
 *
 * @returns whether they fitted.
 */
export async function addToDay(tx: Queryable, use: DailyUse): Promise<boolean> {
  await tx.query({
    name: "daily-limit-begin",
    text: "insert into daily_cap (user_id, code) values ($1, $2) on conflict do nothing",
    values: [use.userId, use.code],
  });
  const { rowCount } = await tx.query({
    name: "daily-limit-count",
    text: `update daily_cap
     set recipients_used = case when day = $4::date then recipients_used else 0 end + $3::integer, day = $4::date
     where user_id = $1 and code = $2
       and case when day = $4::date then recipients_used else 0 end + $3::integer <= coalesce(recipients_max, $5::integer)`,
    values: [use.userId, use.code, use.recipients, use.day, use.defaultMax],
  });
  return rowCount === 1;
}

/** @param recipientsMax null: no limit of their own. @returns the limit before. */
export async function upsertDailyLimit(tx: Queryable, key: Key, recipientsMax: number | null): Promise<number | null> {
  const { rows } = await tx.query<{ recipientsMax: number | null }>(
    `select recipients_max as "recipientsMax" from daily_cap where user_id = $1 and code = $2 for update`,
    [key.userId, key.code],
  );
  await tx.query(
    `insert into daily_cap (user_id, code, recipients_max) values ($1, $2, $3)
     on conflict (user_id, code) do update set recipients_max = excluded.recipients_max`,
    [key.userId, key.code, recipientsMax],
  );
  return rows[0]?.recipientsMax ?? null;
}
