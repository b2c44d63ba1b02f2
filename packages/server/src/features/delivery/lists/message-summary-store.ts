import type { Queryable } from "../../../db/pool.ts";
import { messageStateNumbers } from "../states.ts";

/** The newest ids of a customer's sent messages and how many there are; hidden and scheduled ones do not count. */
export type MessageSummary = { userId: string; newestIds: string[]; count: number };

/** @param idsMax how many of the newest ids of each customer. */
export async function selectMessageSummaries(
  db: Queryable,
  userIds: readonly string[],
  idsMax: number,
): Promise<MessageSummary[]> {
  const { rows } = await db.query<MessageSummary>(
    `select u.user_id as "userId",
       array(
         select m.message_id from message m
         where m.user_id = u.user_id and m.state <> ${messageStateNumbers.scheduled} and m.hidden_at is null
         order by m.message_id desc limit $2
       ) as "newestIds",
       (
         select count(*) from message m
         where m.user_id = u.user_id and m.state <> ${messageStateNumbers.scheduled} and m.hidden_at is null
       ) as count
     from unnest($1::uuid[]) as u (user_id)`,
    [userIds, idsMax],
  );
  return rows;
}

/** Whose message it is, by the index over everybody's. */
export async function findMessageOwner(db: Queryable, messageId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from message where message_id = $1 limit 1`,
    [messageId],
  );
  return rows[0]?.userId;
}
