/** One read over the tables of several features: what a customer's record shows of each. Only reads; the features own the rows. */
import type { Queryable } from "./db/pool.ts";

export type SendingSummary = {
  userId: string;
  senderNames: string[];
  sms: { newestIds: string[]; count: number };
  draft: { newestIds: string[]; count: number };
};

/** @param idsMax how many of the newest ids of each list. */
export async function selectSendingSummaries(db: Queryable, userIds: string[], idsMax: number): Promise<SendingSummary[]> {
  const { rows } = await db.query<{
    user_id: string;
    sender_names: string[];
    sms_ids: string[];
    sms_count: number;
    draft_ids: string[];
    draft_count: number;
  }>(
    `select u.user_id,
       array(select s.name from sender_name s where s.user_id = u.user_id order by s.created_at, s.name) as sender_names,
       array(
         select m.message_id from message m where m.user_id = u.user_id and m.state <> 0 and m.hidden_at is null
         order by m.message_id desc limit $2
       ) as sms_ids,
       (select count(*) from message m where m.user_id = u.user_id and m.state <> 0 and m.hidden_at is null) as sms_count,
       array(select d.draft_id from draft d where d.user_id = u.user_id order by d.draft_id desc limit $2) as draft_ids,
       (select count(*) from draft d where d.user_id = u.user_id) as draft_count
     from unnest($1::uuid[]) as u (user_id)`,
    [userIds, idsMax],
  );
  return rows.map((row) => ({
    userId: row.user_id,
    senderNames: row.sender_names,
    sms: { newestIds: row.sms_ids, count: row.sms_count },
    draft: { newestIds: row.draft_ids, count: row.draft_count },
  }));
}
