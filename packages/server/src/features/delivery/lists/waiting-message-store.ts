/** All SQL of messages that wait for a decision: after a restore, for an administrator, or for an approver of the account. */
import type { Queryable } from "../../../db/pool.ts";
import { messageStateNumbers } from "../states.ts";
import { JOINS, type MessageRow, rowColumns } from "./message-list-store.ts";

/** The messages of all customers that are held after a restore, hidden or not: an administrator has to decide on each. */
export async function selectHeldMessages(
  db: Queryable,
  page: { limit: number; beforeId?: string | undefined },
): Promise<(MessageRow & { heldAt: Date; heldFrom: number })[]> {
  const { rows } = await db.query<MessageRow & { heldAt: Date; heldFrom: number }>(
    `select ${rowColumns("message")}, held_at as "heldAt", held_from as "heldFrom" from message ${JOINS}
     where first_batch.batch_index = 0 and message.state = ${messageStateNumbers.held} and ($2::uuid is null or message.message_id < $2)
     order by message.message_id desc limit $1`,
    [page.limit, page.beforeId ?? null],
  );
  return rows;
}

/** The messages of all customers that an administrator is to look at before they are sent. */
export async function selectReviews(
  db: Queryable,
  page: { limit: number; beforeId?: string | undefined },
): Promise<(MessageRow & { heldAt: Date; note: string })[]> {
  const { rows } = await db.query<MessageRow & { heldAt: Date; note: string }>(
    `select ${rowColumns("message")}, held_at as "heldAt", coalesce(review_note, '') as note from message ${JOINS}
     where first_batch.batch_index = 0 and message.state = ${messageStateNumbers.review} and not message.awaits_approval
       and ($2::uuid is null or message.message_id < $2)
     order by message.message_id desc limit $1`,
    [page.limit, page.beforeId ?? null],
  );
  return rows;
}

/** The messages of one account that an approver is to look at before they are sent. */
export async function selectAwaitingApproval(
  db: Queryable,
  userId: string,
  page: { limit: number; beforeId?: string | undefined },
): Promise<(MessageRow & { heldAt: Date })[]> {
  const { rows } = await db.query<MessageRow & { heldAt: Date }>(
    `select ${rowColumns("message")}, held_at as "heldAt" from message ${JOINS}
     where message.user_id = $1 and first_batch.batch_index = 0 and message.state = ${messageStateNumbers.review} and message.awaits_approval
       and ($3::uuid is null or message.message_id < $3)
     order by message.message_id desc limit $2`,
    [userId, page.limit, page.beforeId ?? null],
  );
  return rows;
}

/** Which of these messages a member sent, and who. */
export async function selectSenders(
  db: Queryable,
  userId: string,
  messageIds: readonly string[],
): Promise<{ messageId: string; sentBy: string }[]> {
  if (messageIds.length === 0) return [];
  const { rows } = await db.query<{ messageId: string; sentBy: string }>(
    `select message_id as "messageId", sent_by as "sentBy" from message
     where user_id = $1 and message_id = any ($2::uuid[]) and sent_by is not null`,
    [userId, messageIds],
  );
  return rows;
}

/** How many messages, tests apart, wait for a review, and since when the first of them does. */
export async function countReviews(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*)::integer as count, min(held_at) as "oldestAt" from message where state = ${messageStateNumbers.review} and not awaits_approval and not is_test`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}
