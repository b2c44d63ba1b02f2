/**
 * How many of a customer's messages stand in the history, kept beside them (0055_counts_and_sealed_point.sql): `insertMessage` and every statement that starts,
 * cancels, holds or hides a message moves it in the same transaction.
 */
import type { Db, Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { messageStateNumbers } from "../states.ts";

/**
 * Counts the messages of a few customers anew, those that were counted longest ago. A host of a release without these counts may have sent meanwhile.
 *
 * @param customersMax 0.1 s for a customer with a million messages.
 * @returns how many counts were wrong.
 */
export async function recountMessages(db: Db, customersMax: number): Promise<number> {
  const { rows: stale } = await db.query<{ userId: string }>(
    `select user_id as "userId" from customer_count order by counted_at limit $1`,
    [customersMax],
  );
  let wrong = 0;
  for (const { userId } of stale) wrong += await withTransaction(db, (tx) => recount(tx, userId));
  return wrong;
}

/** Whoever sends for this customer meanwhile waits for the row; what the count then sees is committed. */
async function recount(tx: Queryable, userId: string): Promise<number> {
  const { rows: before } = await tx.query<{ messages: number }>(
    "select messages from customer_count where user_id = $1 for update",
    [userId],
  );
  const { rows: after } = await tx.query<{ messages: number }>(
    `update customer_count set counted_at = now(), messages = (
       select count(*) from message where user_id = $1 and state <> ${messageStateNumbers.scheduled} and hidden_at is null)
     where user_id = $1 returning messages`,
    [userId],
  );
  return before[0]?.messages === after[0]?.messages ? 0 : 1;
}
