import type { Queryable } from "../db/pool.ts";

/** What came to a customer and went on one day of Lagos, in thousandths of a unit. */
export type UnitFlow = {
  userId: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** Payments, deposits and credits, less what was reversed. */
  soldMilli: number;
  /** Charges less refunds. */
  usedMilli: number;
};

/** @param period from the beginning of a day of Lagos to that of another: half a day would come out too small. */
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

/** When units moved for the first time; undefined before that. Looks at every journal: for what is done once. */
export async function findFirstFlowTime(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.query<{ first: Date | null }>("select min(created_at) as first from journal");
  return rows[0]?.first ?? undefined;
}

/** What all customers together can spend, in thousandths of a unit. */
export async function sumFreeUnits(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ freeMilli: number }>(
    `select coalesce(sum(balance_milli - held_milli), 0)::bigint as "freeMilli" from ledger_account`,
  );
  return rows[0]?.freeMilli ?? 0;
}
