/** What is counted of all deposits, and those that wait. */
import type { Queryable } from "../../../db/pool.ts";

/** Deposits that were reported, in any state, also those that their customers took out of their lists: the record stays. */
export async function countDeposits(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) as count from deposit");
  return rows[0]?.count ?? 0;
}

export async function countWaitingDeposits(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*) as count, min(created_at) as "oldestAt" from deposit where state = 'pending'`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** Undecided deposits behind that place, the oldest first. */
export async function selectWaitingDeposits(
  db: Queryable,
  page: { afterTime: Date; afterId: string; limit: number },
): Promise<{ id: string; amountKobo: number; userName: string; email: string; isFlagged: boolean; createdAt: Date }[]> {
  const { rows } = await db.query<{
    id: string;
    amountKobo: number;
    userName: string;
    email: string;
    isFlagged: boolean;
    createdAt: Date;
  }>(
    `select d.deposit_id as id, d.amount_kobo as "amountKobo", u.user_name as "userName", u.email, d.is_flagged as "isFlagged", d.created_at as "createdAt"
     from deposit d join app_user u using (user_id)
     where d.state = 'pending' and (date_trunc('milliseconds', d.created_at), d.deposit_id) > ($1, $2)
     order by date_trunc('milliseconds', d.created_at), d.deposit_id limit $3`,
    [page.afterTime, page.afterId, page.limit],
  );
  return rows;
}
