/** All SQL that finds submits for query_sm and cancel_sm. */
import type { Queryable } from "../../../db/pool.ts";

export type FoundSubmit = {
  submitId: string;
  /** Null while parts of its message are missing. */
  messageId: string | null;
  source: string;
  hasExpired: boolean;
};

export async function findSubmit(
  db: Queryable,
  { userId, keyId, submitId }: { userId: string; keyId: string; submitId: string },
): Promise<FoundSubmit | undefined> {
  const { rows } = await db.query<FoundSubmit>(
    `select submit_id as "submitId", message_id as "messageId", source, has_expired as "hasExpired"
     from smpp_submit where user_id = $1 and submit_id = $2 and key_id = $3`,
    [userId, submitId, keyId],
  );
  return rows[0];
}

/** Scheduled messages of a key from one sender to one number, oldest first. */
export async function selectScheduled(
  db: Queryable,
  asked: { userId: string; keyId: string; source: string; destination: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ messageId: string }>(
    `select distinct message_id as "messageId" from smpp_submit
     where user_id = $1 and destination = $4 and is_scheduled and key_id = $2 and source = $3 and message_id is not null
     order by 1 limit $5`,
    [asked.userId, asked.keyId, asked.source, asked.destination, asked.limit],
  );
  return rows.map(({ messageId }) => messageId);
}
