/** All SQL of sub-accounts: who made them, what they may spend in a day, and what they have spent. */
import type { Queryable } from "../../../db/pool.ts";

export type SubAccount = {
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  phoneNo: string;
  isBlocked: boolean;
  capMilliPerDay: number | null;
  usedMilli: number;
  createdAt: Date;
};

/** @param day of Lagos, `YYYY-MM-DD`. */
export async function selectSubAccounts(
  db: Queryable,
  page: { parentId: string; subId?: string | undefined; day: string; limit: number; beforeId?: string | undefined },
): Promise<SubAccount[]> {
  const { rows } = await db.query<Omit<SubAccount, "usedMilli">>(
    `select user_id as "userId", user_name as "userName", full_name as "fullName", email, phone_no as "phoneNo",
       blocked_at is not null as "isBlocked", cap_milli_per_day as "capMilliPerDay", created_at as "createdAt"
     from app_user where parent_id = $1 and ($2::uuid is null or user_id = $2) and ($4::uuid is null or user_id < $4)
     order by user_id desc limit $3`,
    [page.parentId, page.subId ?? null, page.limit, page.beforeId ?? null],
  );
  const used = new Map<string, number>();
  for (const { userId, capMilliPerDay } of rows)
    if (capMilliPerDay !== null) used.set(userId, await findUsedMilli(db, userId, page.day));
  return rows.map((row) => ({ ...row, usedMilli: used.get(row.userId) ?? 0 }));
}

export async function countSubAccounts(tx: Queryable, parentId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::integer as count from app_user where parent_id = $1",
    [parentId],
  );
  return rows[0]?.count ?? 0;
}

export async function hasOpenSubAccount(tx: Queryable, parentId: string): Promise<boolean> {
  const { rows } = await tx.query<{ exists: boolean }>(
    "select exists (select from app_user where parent_id = $1 and closed_at is null) as exists",
    [parentId],
  );
  return rows[0]?.exists === true;
}

/** @returns the account that made it; null for one that nobody made, undefined for an unknown one. */
export async function findParent(db: Queryable, userId: string): Promise<string | null | undefined> {
  const { rows } = await db.query<{ parentId: string | null }>(
    `select parent_id as "parentId" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0]?.parentId;
}

export async function updateParent(
  tx: Queryable,
  sub: { userId: string; parentId: string; capMilliPerDay: number | null },
): Promise<void> {
  await tx.query("update app_user set parent_id = $2, cap_milli_per_day = $3 where user_id = $1", [
    sub.userId,
    sub.parentId,
    sub.capMilliPerDay,
  ]);
}

/** What a send takes of a capped account's day. */
export type UnitUse = { userId: string; day: string; amountMilli: number; capMilli: number };

/** @returns thousandths of a unit that the account has set aside for sends on that day. */
export async function findUsedMilli(db: Queryable, userId: string, day: string): Promise<number> {
  const { rows } = await db.query<{ usedMilli: number }>(
    `select used_milli as "usedMilli" from unit_use where user_id = $1 and day = $2::date`,
    [userId, day],
  );
  return rows[0]?.usedMilli ?? 0;
}

/** As `addToDay`, for units. */
export async function addUnitsToDay(tx: Queryable, { userId, day, amountMilli, capMilli }: UnitUse): Promise<boolean> {
  await tx.query("insert into unit_use (user_id, day) values ($1, $2::date) on conflict do nothing", [userId, day]);
  const { rowCount } = await tx.query(
    `update unit_use set used_milli = case when day = $2::date then used_milli else 0 end + $3::bigint, day = $2::date
     where user_id = $1 and case when day = $2::date then used_milli else 0 end + $3::bigint <= $4::bigint`,
    [userId, day, amountMilli, capMilli],
  );
  return rowCount === 1;
}
