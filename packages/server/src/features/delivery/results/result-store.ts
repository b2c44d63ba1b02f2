/** All SQL that counts what came of messages. */
import type { OutcomeReason } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { DELETED, NETWORK_PREFIX } from "../lists/message-list-store.ts";
import { deliveryStates, messageStateNumbers } from "../states.ts";

const LISTED = "coalesce(message.listed_id, message.message_id)";

/** A customer's messages that went out in a period, hidden ones too; each half by an index of its own. Answers of the product itself are none of theirs. */
const went = (columns: string): string => {
  const half = (hidden: string): string => `
    select ${columns} from message
    where user_id = $1 and state <> ${messageStateNumbers.scheduled} and ${LISTED} >= $2::uuid and ${LISTED} < $3::uuid and ${hidden} and honours_opt_outs`;
  return `${half("hidden_at is null")} union all ${half(DELETED)}`;
};

/** Lowest ids: of the first moment, and of the first one after the last. */
export type Period = { userId: string; fromId: string; toId: string };

export type DayTally = {
  /** From 0. */
  index: number;
  messages: number;
  recipients: number;
  delivered: number;
  failed: number;
  /** Changes with every outcome of the day. */
  tally: string;
};

/** The tallies of the messages, day by day; no recipient is read. @param bounds the lowest id of each day. */
export async function selectDayTallies(
  db: Queryable,
  { userId, fromId, toId }: Period,
  bounds: readonly string[],
): Promise<DayTally[]> {
  const { rows } = await db.query<DayTally>(
    `select width_bucket(listed_id, $4::uuid[]) - 1 as index, count(*) as messages, sum(recipient_count)::bigint as recipients,
       sum(delivered)::bigint as delivered, sum(failed)::bigint as failed,
       concat_ws(' ', count(*), sum(recipient_count), sum(waiting), sum(sent), sum(delivered), sum(failed), sum(dnd), sum(unknown), sum(cancelled),
         sum(opted_out)) as tally
     from (${went(`message_id, recipient_count, ${LISTED} as listed_id`)}) as own
     join message_count on message_count.user_id = $1 and message_count.message_id = own.message_id
     group by 1`,
    [userId, fromId, toId, bounds],
  );
  return rows;
}

export async function selectMessagesOf(
  db: Queryable,
  { userId, fromId, toId }: Period,
): Promise<{ messageId: string; holdId: string | null }[]> {
  const { rows } = await db.query<{ messageId: string; holdId: string | null }>(
    `select message_id as "messageId", hold_id as "holdId" from (${went("message_id, hold_id")}) as own`,
    [userId, fromId, toId],
  );
  return rows;
}

/** One group of recipients: by network (`prefix` as `NETWORK_PREFIX`) or by the hour of the outcome (seconds from 1970); the other is null. */
export type OutcomeGroup = { prefix: number | null; hour: number | null; delivered: number; failed: number };

/** @param tx adds up in memory from here on, see `selectDeliveryGroups`. */
export async function selectOutcomeGroups(
  tx: Tx,
  userId: string,
  messageIds: readonly string[],
): Promise<OutcomeGroup[]> {
  await tx.query("set local enable_sort = off");
  const { rows } = await tx.query<OutcomeGroup>(
    `select prefix, extract(epoch from hour)::bigint as hour, count(*) filter (where state = ${deliveryStates.delivered}) as delivered,
       count(*) filter (where state = ${deliveryStates.failed}) as failed
     from (
       select ${NETWORK_PREFIX} as prefix, date_bin('1 hour', updated_at, 'epoch') as hour, state
       from delivery where user_id = $1 and message_id = any ($2::uuid[]) and state in (${deliveryStates.delivered}, ${deliveryStates.failed})
     ) as outcome
     group by grouping sets ((prefix), (hour))`,
    [userId, messageIds],
  );
  return rows;
}

/** Why recipients did not get it, the most frequent codes first; what a carrier writes is its own, so many at most. */
export async function selectFailures(
  db: Queryable,
  userId: string,
  messageIds: readonly string[],
  limit: number,
): Promise<{ errorCode: string | null; count: number }[]> {
  const { rows } = await db.query<{ errorCode: string | null; count: number }>(
    `select error_code as "errorCode", count(*) as count from delivery
     where user_id = $1 and message_id = any ($2::uuid[]) and state = ${deliveryStates.failed}
     group by error_code order by count(*) desc, error_code limit $3`,
    [userId, messageIds, limit],
  );
  return rows;
}

/** What was counted of one message or one day. */
export type Counted = {
  networks: { network: string; delivered: number; failed: number }[];
  hours: { at: number; delivered: number; failed: number }[];
  reasons: { kind: OutcomeReason; count: number }[];
  chargedMilli: number;
};

export type KeptCount = { subject: string; tally: string; counted: Counted };

/** @param subjects a message's id, or a day. */
export async function selectKeptCounts(
  db: Queryable,
  userId: string,
  subjects: readonly string[],
): Promise<KeptCount[]> {
  const { rows } = await db.query<KeptCount>(
    `select subject, tally, counted from result_count where user_id = $1 and subject = any ($2::text[]) and counted is not null`,
    [userId, subjects],
  );
  return rows;
}

/** @returns whether the caller is to count now: nobody has begun to since `since`. */
export async function claimCount(
  db: Queryable,
  key: { userId: string; subject: string },
  times: { now: Date; since: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into result_count (user_id, subject, claimed_at) values ($1, $2, $3)
     on conflict (user_id, subject) do update set claimed_at = excluded.claimed_at where result_count.claimed_at <= $4`,
    [key.userId, key.subject, times.now, times.since],
  );
  return rowCount === 1;
}

export async function putCount(
  db: Queryable,
  key: { userId: string; subject: string },
  { tally, counted }: { tally: string; counted: Counted },
): Promise<void> {
  await db.query(
    `insert into result_count (user_id, subject, claimed_at, tally, counted) values ($1, $2, now(), $3, $4)
     on conflict (user_id, subject) do update set tally = excluded.tally, counted = excluded.counted`,
    [key.userId, key.subject, tally, JSON.stringify(counted)],
  );
}

/** Clicks on the links of messages, by the day on which these went out. */
export async function selectDayClicks(
  db: Queryable,
  { userId, fromId, toId }: Period,
  bounds: readonly string[],
): Promise<{ index: number; count: number }[]> {
  const { rows } = await db.query<{ index: number; count: number }>(
    `select width_bucket(listed_id, $4::uuid[]) - 1 as index, sum(total)::integer as count
     from (${went(`message_id, ${LISTED} as listed_id`)}) as own
     join link_click_total on link_click_total.user_id = $1 and link_click_total.message_id = own.message_id
     group by 1`,
    [userId, fromId, toId, bounds],
  );
  return rows;
}

/** Who opted out by themselves, by the day on which they did. @param bounds when each day begins. */
export async function selectDayOptOuts(
  db: Queryable,
  userId: string,
  { bounds, until }: { bounds: readonly Date[]; until: Date },
): Promise<{ index: number; count: number }[]> {
  const { rows } = await db.query<{ index: number; count: number }>(
    `select width_bucket(created_at, $2::timestamptz[]) - 1 as index, count(*) as count from opt_out
     where user_id = $1 and source in ('sms', 'link') and created_at >= $3 and created_at < $4 group by 1`,
    [userId, bounds, bounds[0], until],
  );
  return rows;
}

export async function countOptOutsBy(db: Queryable, key: { userId: string; messageId: string }): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*) as count from opt_out where user_id = $1 and message_id = $2",
    [key.userId, key.messageId],
  );
  return rows[0]?.count ?? 0;
}
