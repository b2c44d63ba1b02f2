/** All SQL about what carriers bill us. */
import type { Queryable } from "../../../../db/pool.ts";

/** Of one SMS part, in thousandths of a naira; of all numbers when the prefix is empty. */
export type CarrierCost = { prefix: string; costMilli: number };
export type NamedCost = CarrierCost & { carrierName: string };

/** The costs that hold at a moment. */
export async function selectCosts(db: Queryable, at: Date): Promise<NamedCost[]> {
  const { rows } = await db.query<NamedCost>({
    name: "carrier-costs",
    text: `select "carrierName", prefix, "costMilli" from (
       select distinct on (carrier_name, prefix) carrier_name as "carrierName", prefix, cost_milli as "costMilli" from carrier_cost
       where effective_at <= $1 order by carrier_name, prefix, effective_at desc
     ) as held where "costMilli" is not null order by "carrierName", prefix`,
    values: [at],
  });
  return rows;
}

/** When costs changed between two moments, in order. */
export async function selectCostChanges(db: Queryable, period: { since: Date; until: Date }): Promise<Date[]> {
  const { rows } = await db.query<{ at: Date }>(
    "select distinct effective_at as at from carrier_cost where effective_at > $1 and effective_at < $2 order by 1",
    [period.since, period.until],
  );
  return rows.map(({ at }) => at);
}

export async function insertCost(
  db: Queryable,
  cost: { carrierName: string; prefix: string; costMilli: number | null; effectiveAt: Date; adminId: string },
): Promise<void> {
  await db.query(
    `insert into carrier_cost (carrier_name, prefix, effective_at, cost_milli, admin_id) values ($1, $2, $3, $4, $5)
     on conflict (carrier_name, prefix, effective_at) do update set cost_milli = excluded.cost_milli, admin_id = excluded.admin_id`,
    [cost.carrierName, cost.prefix, cost.effectiveAt, cost.costMilli, cost.adminId],
  );
}

/**
 * @returns the cost of a part to a number, of the longest prefix that it begins with; undefined when nothing is known.
 * @param number digits only, or their beginning.
 */
export function findCost(costs: readonly CarrierCost[], number: string): number | undefined {
  let best: CarrierCost | undefined;
  for (const cost of costs)
    if (number.startsWith(cost.prefix) && (best === undefined || cost.prefix.length > best.prefix.length)) best = cost;
  return best?.costMilli;
}
