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
  const { rows } = await tx.query<{ firstTurn: number }>(
    `insert into customer_turn as own (user_id, ${column})
     select $1::uuid, last_value + $2::bigint from ${column}_turn
     on conflict (user_id) do update
       set ${column} = greatest(own.${column} + $2::bigint, excluded.${column})
     returning ${column} - $2::bigint as "firstTurn"`,
    [turns.userId, turns.cost],
  );
  return rows[0]?.firstTurn ?? 0;
}
