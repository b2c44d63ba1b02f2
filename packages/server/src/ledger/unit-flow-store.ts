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

/** @param since the beginning of a day of Lagos: a day that began before it would come out too small. */
export async function selectUnitFlows(db: Queryable, since: Date): Promise<UnitFlow[]> {
  const { rows } = await db.query<UnitFlow>(
    `select j.user_id as "userId", (j.created_at at time zone 'Africa/Lagos')::date as day,
       coalesce(sum(e.amount_milli) filter (where j.kind not in ('charge', 'refund')), 0)::bigint as "soldMilli",
       coalesce(-sum(e.amount_milli) filter (where j.kind in ('charge', 'refund')), 0)::bigint as "usedMilli"
     from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
     where j.created_at >= $1 group by 1, 2`,
    [since],
  );
  return rows;
}

/** What all customers together can spend, in thousandths of a unit. */
export async function sumFreeUnits(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ freeMilli: number }>(
    `select coalesce(sum(balance_milli - held_milli), 0)::bigint as "freeMilli" from ledger_account`,
  );
  return rows[0]?.freeMilli ?? 0;
}
