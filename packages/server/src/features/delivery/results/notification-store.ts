/** All SQL about the mails that customers get by themselves. */
import type { NotificationsAnswer } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { DELETED } from "../lists/message-list-store.ts";
import { messageStateNumbers, smallestIdOf } from "../states.ts";

export async function readNotifications(db: Queryable, userId: string): Promise<NotificationsAnswer> {
  const { rows } = await db.query<NotificationsAnswer>(
    `select has_weekly_mail as "weeklyMail" from notification where user_id = $1`,
    [userId],
  );
  return rows[0] ?? { weeklyMail: true };
}

/** What is left out stays as it is. */
export async function saveNotifications(
  db: Queryable,
  userId: string,
  { weeklyMail }: { weeklyMail?: boolean | undefined },
): Promise<NotificationsAnswer> {
  const { rows } = await db.query<NotificationsAnswer>(
    `insert into notification as own (user_id, has_weekly_mail) values ($1, coalesce($2::boolean, true))
     on conflict (user_id) do update set has_weekly_mail = coalesce($2::boolean, own.has_weekly_mail) returning has_weekly_mail as "weeklyMail"`,
    [userId, weeklyMail ?? null],
  );
  return rows[0] ?? { weeklyMail: true };
}

export type WeeklyReader = { userId: string; email: string; userName: string };

/** Customers who want the mail and whose messages went out in the period, in the order of their ids. */
export async function selectWeeklyReaders(
  db: Queryable,
  { from, until, after, limit }: { from: Date; until: Date; after: string | undefined; limit: number },
): Promise<WeeklyReader[]> {
  const sent = (hidden: string): string => `exists (
    select 1 from message where message.user_id = ledger_account.user_id and state <> ${messageStateNumbers.scheduled}
      and coalesce(listed_id, message_id) >= $1::uuid and coalesce(listed_id, message_id) < $2::uuid and ${hidden} and honours_opt_outs)`;
  const { rows } = await db.query<WeeklyReader>(
    `select ledger_account.user_id as "userId", email, user_name as "userName"
     from ledger_account join app_user using (user_id) left join notification using (user_id)
     where ($3::uuid is null or ledger_account.user_id > $3) and verified_at is not null and blocked_at is null and coalesce(has_weekly_mail, true)
       and (${sent("hidden_at is null")} or ${sent(DELETED)})
     order by ledger_account.user_id limit $4`,
    [smallestIdOf(from.getTime()), smallestIdOf(until.getTime()), after ?? null, limit],
  );
  return rows;
}

/** @returns false when the mail of that week was written. @param week its Monday. */
export async function claimWeeklyMail(tx: Queryable, userId: string, week: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "insert into weekly_mail (user_id, week) values ($1, $2) on conflict do nothing",
    [userId, week],
  );
  return rowCount === 1;
}
