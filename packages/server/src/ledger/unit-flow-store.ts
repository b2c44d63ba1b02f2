import type { Queryable } from "../db/pool.ts";

/** The units that a customer gained and spent on one day in Lagos, in thousandths. */
export type UnitFlow = {
  userId: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** Payments, deposits and credits, minus reversals. */
  soldMilli: number;
  /** Charges minus refunds. */
  usedMilli: number;
};

/** @param period from the beginning of one day in Lagos to the beginning of another. Parts of a day would give too little. */
export async function selectUnitFlows(db: Queryable, period: { since: Date; until: Date }): Promise<UnitFlow[]> {
  const { rows } = await db.query<UnitFlow>(
    `select j.user_id as "userId", (j.created_at at time zone 'Africa/Lagos')::date as day,
       coalesce(sum(e.amount_milli) filter (where j.kind not in ('charge', 'refund')), 0)::bigint as "soldMilli",
       coalesce(-sum(e.amount_milli) filter (where j.kind in ('charge', 'refund')), 0)::bigint as "usedMilli"
     from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
     where j.created_at >= $1 and j.created_at < $2 group by 1, 2`,
    [period.since, period.until],
  );
  return rows;
}

/** @returns when units moved for the first time, or undefined. It reads every journal, so call it rarely. */
export async function findFirstFlowTime(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.query<{ first: Date | null }>("select min(created_at) as first from journal");
  return rows[0]?.first ?? undefined;
}

/** @returns what all customers together can spend, in thousandths of a unit. */
export async function sumFreeUnits(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ freeMilli: number }>(
    `select coalesce(sum(balance_milli - held_milli), 0)::bigint as "freeMilli" from ledger_account`,
  );
  return rows[0]?.freeMilli ?? 0;
}
