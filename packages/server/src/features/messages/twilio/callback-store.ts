/** All SQL about states that Twilio clients are to be told. */
import type { Queryable } from "../../../db/pool.ts";

type Key = { userId: string; messageId: string };
export type NewCallback = Key & { status: string; errorCode: number | null; at: Date };

/** @returns whether nobody was told yet that it is sent; from now on somebody was. */
export async function takeSentTurn(tx: Queryable, { userId, messageId }: Key): Promise<boolean> {
  const { rowCount } = await tx.query(
    "update twilio_message set is_sent_told = true where user_id = $1 and message_id = $2 and not is_sent_told",
    [userId, messageId],
  );
  return rowCount === 1;
}

/** Nothing for a message that was deleted meanwhile, or has no callback. */
export async function insertCallback(
  tx: Queryable,
  { userId, messageId, status, errorCode, at }: NewCallback,
): Promise<void> {
  // A cluster makes no row from what it reads elsewhere. What is deleted between the two is never told: a callback without its message is dropped.
  const { rowCount } = await tx.query(
    "select from twilio_message where user_id = $1 and message_id = $2 and status_callback is not null",
    [userId, messageId],
  );
  if (rowCount === 0) return;
  await tx.query(
    "insert into twilio_callback (user_id, message_id, status, error_code, next_try_at) values ($1, $2, $3, $4, $5)",
    [userId, messageId, status, errorCode, at],
  );
}

export type DueCallback = Key & {
  callbackId: string;
  status: string;
  errorCode: number | null;
  tries: number;
  nextTryAt: Date;
};

/**
 * Callbacks whose time has come and that no earlier one of their message stands before, those of each customer bounded.
 *
 * @param query busyUsers have as many under way as they may.
 */
export async function selectDueCallbacks(
  db: Queryable,
  query: { now: Date; busyUsers: readonly string[]; perUserMax: number; limit: number },
): Promise<DueCallback[]> {
  const { rows } = await db.query<DueCallback>({
    name: "due-callbacks",
    text: `select user_id as "userId", message_id as "messageId", callback_id as "callbackId", status, error_code as "errorCode", tries,
       next_try_at as "nextTryAt"
     from (
       select due.*, row_number() over (partition by user_id order by next_try_at, callback_id) as place from twilio_callback due
       where next_try_at <= $1 and user_id <> all ($2::uuid[]) and not exists (
         select from twilio_callback earlier where earlier.user_id = due.user_id and earlier.message_id = due.message_id
           and earlier.callback_id < due.callback_id)
     ) as ranked where place <= $3 order by next_try_at limit $4`,
    values: [query.now, query.busyUsers, query.perUserMax, query.limit],
  });
  return rows;
}

/** @returns false when another process was faster. Who leases it and dies leaves it to the others at `until`. */
export async function leaseCallback(
  db: Queryable,
  { userId, messageId, callbackId, nextTryAt }: DueCallback,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update twilio_callback set next_try_at = $5, tries = tries + 1
     where user_id = $1 and message_id = $2 and callback_id = $3 and next_try_at = $4`,
    [userId, messageId, callbackId, nextTryAt, until],
  );
  return rowCount === 1;
}

export async function postponeCallback(
  db: Queryable,
  { userId, messageId, callbackId }: DueCallback,
  until: Date,
): Promise<void> {
  await db.query(
    "update twilio_callback set next_try_at = $4 where user_id = $1 and message_id = $2 and callback_id = $3",
    [userId, messageId, callbackId, until],
  );
}

export async function deleteCallback(db: Queryable, { userId, messageId, callbackId }: DueCallback): Promise<void> {
  await db.query("delete from twilio_callback where user_id = $1 and message_id = $2 and callback_id = $3", [
    userId,
    messageId,
    callbackId,
  ]);
}
