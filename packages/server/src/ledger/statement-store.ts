import type { StatementCause } from "@ewebal/contract";
import type { Queryable } from "../db/pool.ts";

/** Where a movement stands among a customer's. The time is text with microseconds: a Date would not tell two apart. */
export type MovementPosition = { at: string; movementId: string };

/** One line of a statement. A message's line changes while the message is being sent, and never again once `isFinal`. */
export type Movement = MovementPosition & {
  createdAt: Date;
  cause: StatementCause;
  /** The message's id, or the reference of the payment, deposit or credit. */
  reference: string;
  /** What the free units gained; negative for what was spent or set aside. */
  amountMilli: number;
  /** The free units after this line. */
  balanceMilli: number;
  isFinal: boolean;
};

const COLUMNS = `
  m.movement_id as "movementId", m.created_at as "createdAt",
  to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  m.cause, m.reference, m.amount_milli as "amountMilli", m.is_final as "isFinal"`;

/**
 * One statement, so that the free units, what lies above the page and the page itself are of one moment. What lies above
 * is added up from its index; nothing is stored that could differ from the movements.
 */
export async function selectMovements(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition },
): Promise<Movement[]> {
  const { after } = page;
  const isBelow = after === undefined ? "true" : "(m.created_at, m.movement_id) < ($3::timestamptz, $4::uuid)";
  const isAbove = after === undefined ? "false" : "(m.created_at, m.movement_id) >= ($3::timestamptz, $4::uuid)";
  const { rows } = await db.query<Movement>(
    `select ${COLUMNS},
       (top.free_milli - coalesce(sum(m.amount_milli) over (
         order by m.created_at desc, m.movement_id desc rows between unbounded preceding and 1 preceding
       ), 0))::bigint as "balanceMilli"
     from (
       select * from ledger_movement m where m.user_id = $1 and ${isBelow}
       order by m.created_at desc, m.movement_id desc limit $2
     ) m, (
       select a.balance_milli - a.held_milli - (
         select coalesce(sum(m.amount_milli), 0) from ledger_movement m where m.user_id = $1 and ${isAbove}
       ) as free_milli
       from ledger_account a where a.user_id = $1
     ) top
     order by m.created_at desc, m.movement_id desc`,
    after === undefined ? [userId, page.limit] : [userId, page.limit, after.at, after.movementId],
  );
  return rows;
}

/** The other way: oldest first, and without balances, which whoever reads from the first line can add up. */
export async function selectMovementsForward(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition },
): Promise<Omit<Movement, "balanceMilli">[]> {
  const { after } = page;
  const { rows } = await db.query<Omit<Movement, "balanceMilli">>(
    `select ${COLUMNS} from ledger_movement m
     where m.user_id = $1 ${after === undefined ? "" : "and (m.created_at, m.movement_id) > ($3::timestamptz, $4::uuid)"}
     order by m.created_at, m.movement_id limit $2`,
    after === undefined ? [userId, page.limit] : [userId, page.limit, after.at, after.movementId],
  );
  return rows;
}
