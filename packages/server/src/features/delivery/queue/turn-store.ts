import type { Queryable } from "../../../db/pool.ts";

/**
 * Fair queueing by virtual time (start-time fair queueing). Each customer has its own line, or two: small sends and
 * bulk. A send begins where the customer's last one ended, but not before what is being served now; so the tenth
 * message of a quiet customer stands at the head, and the second million of a busy one behind its first.
 *
 * @param tx open transaction; another send of the same customer waits until it ends.
 * @param turns cost in messages on the wire (recipients x pages).
 * @returns where the send begins; its batches follow at that place plus what stands before them.
 */
export async function takeTurns(
  tx: Queryable,
  turns: { userId: string; isExpress: boolean; cost: number },
): Promise<number> {
  const column = turns.isExpress ? "express" : "bulk";
  const { rows } = await tx.query<{ first_turn: number }>(
    `insert into customer_turn as own (user_id, ${column})
     select $1::uuid, last_value + $2::bigint from ${column}_turn
     on conflict (user_id) do update
       set ${column} = greatest(own.${column} + $2::bigint, excluded.${column})
     returning ${column} - $2::bigint as first_turn`,
    [turns.userId, turns.cost],
  );
  return rows[0]?.first_turn ?? 0;
}

/** What is being served now, in both lines: a new send never begins before it. */
export async function readVirtualTimes(db: Queryable): Promise<{ express: number; bulk: number }> {
  const { rows } = await db.query<{ express: number; bulk: number }>(
    "select express_turn.last_value as express, bulk_turn.last_value as bulk from express_turn, bulk_turn",
  );
  return rows[0] ?? { express: 0, bulk: 0 };
}
