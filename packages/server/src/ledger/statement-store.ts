import type { Queryable } from "../db/pool.ts";
import type { Movement, MovementPosition } from "./list-movements.ts";

export type MovementRow = Omit<Movement, "createdAt">;

const epoch = `timestamptz 'epoch'`;

/**
 * One statement, so that the free units, what lies above the page and the page itself are of one moment. What lies above is
 * added up from its index; nothing is stored that could differ from the movements.
 */
export async function selectMovements(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition },
): Promise<MovementRow[]> {
  const { rows } = await db.query<MovementRow>(
    `with behind as (
       select coalesce(${epoch} + $2::bigint * interval '1 microsecond', 'infinity') as at,
         coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id
     ), page as (
       select m.* from ledger_movement m, behind
       where m.user_id = $1 and (m.created_at, m.movement_id) < (behind.at, behind.id)
       order by m.created_at desc, m.movement_id desc limit $4
     ), top as (
       select balance_milli - held_milli - (
         select coalesce(sum(m.amount_milli), 0) from ledger_movement m, behind
         where m.user_id = $1 and (m.created_at, m.movement_id) >= (behind.at, behind.id)
       ) as balance_milli
       from ledger_account where user_id = $1
     )
     select (extract(epoch from page.created_at) * 1000000)::bigint as "atMicros", page.movement_id as "movementId", page.cause,
       page.reference, page.amount_milli as "amountMilli", page.is_final as "isFinal",
       (top.balance_milli - coalesce(sum(page.amount_milli) over (
         order by page.created_at desc, page.movement_id desc rows between unbounded preceding and 1 preceding
       ), 0))::bigint as "balanceMilli"
     from page, top order by page.created_at desc, page.movement_id desc`,
    [userId, page.after?.atMicros ?? null, page.after?.movementId ?? null, page.limit],
  );
  return rows;
}
