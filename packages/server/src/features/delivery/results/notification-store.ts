/** All SQL about the mails that customers get by themselves. */
import { MILLI_PER_UNIT, type NotificationsAnswer } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { DELETED } from "../lists/message-list-store.ts";
import { messageStateNumbers, smallestIdOf } from "../states.ts";

type StoredNotifications = { weeklyMail: boolean; newDeviceMail: boolean; belowMilli: number | null };

const COLUMNS = `has_weekly_mail as "weeklyMail", has_new_device_mail as "newDeviceMail", balance_below_milli as "belowMilli"`;

export async function readNotifications(db: Queryable, userId: string): Promise<NotificationsAnswer> {
  const { rows } = await db.query<StoredNotifications>(`select ${COLUMNS} from notification where user_id = $1`, [
    userId,
  ]);
  return present(rows[0]);
}

const UNSAVED: StoredNotifications = { weeklyMail: true, newDeviceMail: true, belowMilli: null };

function present({ belowMilli, ...mails }: StoredNotifications = UNSAVED): NotificationsAnswer {
  return { ...mails, balanceBelow: belowMilli === null ? null : belowMilli / MILLI_PER_UNIT };
}

export type NotificationChange = {
  weeklyMail?: boolean | undefined;
  newDeviceMail?: boolean | undefined;
  balanceBelow?: number | null | undefined;
};

/**
 * What is left out stays as it is. Who was told of an amount and sets the same or a higher one was told of that, too; a lower one is told of anew.
 *
 * @param change `balanceBelow` in units, null for never.
 */
export async function saveNotifications(
  db: Queryable,
  userId: string,
  { weeklyMail, newDeviceMail, balanceBelow }: NotificationChange,
): Promise<NotificationsAnswer> {
  const { rows } = await db.query<StoredNotifications>(
    `insert into notification as own (user_id, has_weekly_mail, balance_below_milli, has_new_device_mail)
     values ($1, coalesce($2::boolean, true), $4::bigint, coalesce($5::boolean, true))
     on conflict (user_id) do update set has_weekly_mail = coalesce($2::boolean, own.has_weekly_mail),
       has_new_device_mail = coalesce($5::boolean, own.has_new_device_mail),
       balance_below_milli = case when $3::boolean then $4::bigint else own.balance_below_milli end,
       is_below = own.is_below and (not $3::boolean or coalesce($4::bigint >= own.balance_below_milli, false))
     returning ${COLUMNS}`,
    [
      userId,
      weeklyMail ?? null,
      balanceBelow !== undefined,
      typeof balanceBelow === "number" ? balanceBelow * MILLI_PER_UNIT : null,
      newDeviceMail ?? null,
    ],
  );
  return present(rows[0]);
}

/** An amount that a customer wants to be told of, and whether that has happened. */
export type BalanceAlert = { userId: string; belowMilli: number; isBelow: boolean };

export async function selectBalanceAlerts(
  db: Queryable,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<BalanceAlert[]> {
  const { rows } = await db.query<BalanceAlert>(
    `select user_id as "userId", balance_below_milli as "belowMilli", is_below as "isBelow" from notification
     where balance_below_milli is not null and ($1::uuid is null or user_id > $1) order by user_id limit $2`,
    [after ?? null, limit],
  );
  return rows;
}

/** `isReachable`: with a confirmed address, and not blocked. */
export type AlertReader = { email: string; userName: string; isReachable: boolean };

/** @returns whose it is; undefined when it is no longer as it was read. */
export async function flipBalanceAlert(
  tx: Queryable,
  { userId, belowMilli, isBelow }: BalanceAlert,
): Promise<AlertReader | undefined> {
  const { rowCount } = await tx.query(
    "update notification set is_below = not is_below where user_id = $1 and balance_below_milli = $2 and is_below = $3",
    [userId, belowMilli, isBelow],
  );
  if (rowCount !== 1) return undefined;
  const { rows } = await tx.query<AlertReader>(
    `select email, user_name as "userName", verified_at is not null and blocked_at is null as "isReachable" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0];
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
