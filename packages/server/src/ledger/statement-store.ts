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

/** Which movements a list holds; without a field, all. */
export type MovementFilter = {
  /** The first moment, a whole millisecond. */
  from?: Date;
  /** The moment at which the list ends, a whole millisecond. */
  to?: Date;
  causes?: readonly StatementCause[];
};

/**
 * One statement, so that the free units, what lies above the page and the page itself are of one moment. What lies above
 * is added up from its index; nothing is stored that could differ from the movements. A page of some causes also adds up the
 * movements of the others between its lines: 0.1 s for a page that reaches over 100,000 of them (2026-11-23).
 */
export async function selectMovements(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition } & MovementFilter,
): Promise<Movement[]> {
  const { causes, from } = page;
  const parameters: unknown[] = [userId, page.limit];
  const parameter = (value: unknown): string => `$${parameters.push(value)}`;
  const [isBelow, isAbove] = aroundEnd(page, parameter);
  const isInRange = from === undefined ? isBelow : `${isBelow} and m.created_at >= ${parameter(from)}::timestamptz`;
  const isWanted = causes === undefined ? "true" : `m.cause = any(${parameter(causes)})`;
  const own = `select m.* from ledger_movement m where m.user_id = $1`;
  const wanted = `${own} and ${isInRange} and ${isWanted} order by m.created_at desc, m.movement_id desc limit $2`;
  const down =
    causes === undefined
      ? wanted
      : `${own} and ${isBelow} and (m.created_at, m.movement_id) >= (
           select last.created_at, last.movement_id from (${wanted}) last
           order by last.created_at, last.movement_id limit 1)`;
  const { rows } = await db.query<Movement>(
    `select ${COLUMNS}, m.balance_milli as "balanceMilli"
     from (
       select m.*, (top.free_milli - coalesce(sum(m.amount_milli) over (
         order by m.created_at desc, m.movement_id desc rows between unbounded preceding and 1 preceding
       ), 0))::bigint as balance_milli
       from (${down}) m, (
         select a.balance_milli - a.held_milli - (
           select coalesce(sum(m.amount_milli), 0) from ledger_movement m where m.user_id = $1 and ${isAbove}
         ) as free_milli
         from ledger_account a where a.user_id = $1
       ) top
     ) m
     where ${isWanted}
     order by m.created_at desc, m.movement_id desc`,
    parameters,
  );
  return rows;
}

/** What lies below the end of a page, and what lies above it: behind the cursor, or before the end of the range if that is earlier. */
function aroundEnd(
  { after, to }: { after?: MovementPosition; to?: Date },
  parameter: (value: unknown) => string,
): [isBelow: string, isAbove: string] {
  if (after !== undefined && (to === undefined || new Date(after.at) < to)) {
    const position = `(${parameter(after.at)}::timestamptz, ${parameter(after.movementId)}::uuid)`;
    return [`(m.created_at, m.movement_id) < ${position}`, `(m.created_at, m.movement_id) >= ${position}`];
  }
  if (to === undefined) return ["true", "false"];
  const end = `${parameter(to)}::timestamptz`;
  return [`m.created_at < ${end}`, `m.created_at >= ${end}`];
}

/** The free units at the end of a day in Lagos. */
export type DayBalance = { day: string; balanceMilli: number };

/**
 * Each day from the first to the last, both `YYYY-MM-DD` in Lagos, in order; none for a customer without an account. One
 * statement, as in `selectMovements`, so that the last day's end agrees with the lines of the statement.
 */
export async function selectDayBalances(
  db: Queryable,
  userId: string,
  days: { first: string; last: string },
): Promise<DayBalance[]> {
  const { rows } = await db.query<DayBalance>(
    `with bound as (
       select $2::date::timestamp at time zone 'Africa/Lagos' as start,
         ($3::date + 1)::timestamp at time zone 'Africa/Lagos' as end
     ), moved as (
       select (m.created_at at time zone 'Africa/Lagos')::date as day, sum(m.amount_milli) as amount_milli
       from ledger_movement m, bound
       where m.user_id = $1 and m.created_at >= bound.start and m.created_at < bound.end
       group by 1
     ), top as (
       select a.balance_milli - a.held_milli - (
         select coalesce(sum(m.amount_milli), 0) from ledger_movement m, bound
         where m.user_id = $1 and m.created_at >= bound.end
       ) as free_milli
       from ledger_account a where a.user_id = $1
     )
     select to_char(every.day, 'YYYY-MM-DD') as day,
       (top.free_milli - coalesce(sum(moved.amount_milli) over (
         order by every.day desc rows between unbounded preceding and 1 preceding
       ), 0))::bigint as "balanceMilli"
     from generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') as every (day)
     cross join top
     left join moved on moved.day = every.day::date
     order by every.day`,
    [userId, days.first, days.last],
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
