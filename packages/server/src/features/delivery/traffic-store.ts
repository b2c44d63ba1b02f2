import type { Queryable } from "../../db/pool.ts";
import { deliveryStates } from "./states.ts";

/** Recipients that were handed over in one hour, to numbers that begin alike, by what became of them up to now. */
export type TrafficRow = {
  hour: Date;
  /** `2347025` for a Nigerian number, its first seven digits; `0` for all other countries. */
  prefix: number;
  sent: number;
  delivered: number;
  failed: number;
  dnd: number;
  unknown: number;
};

const countOf = (state: number): string => `count(*) filter (where state = ${state})`;

/** @param since the beginning of an hour. Its cost grows with what was handed over since then, not with what is stored. */
export async function selectTraffic(db: Queryable, since: Date): Promise<TrafficRow[]> {
  const { rows } = await db.query<TrafficRow>(
    `select date_trunc('hour', submitted_at, 'UTC') as hour,
       case when phone_no between 2340000000000 and 2349999999999 then phone_no / 1000000 else 0 end as prefix,
       ${countOf(deliveryStates.sent)} as sent, ${countOf(deliveryStates.delivered)} as delivered,
       ${countOf(deliveryStates.failed)} as failed, ${countOf(deliveryStates.dnd)} as dnd, ${countOf(deliveryStates.unknown)} as unknown
     from delivery where submitted_at >= $1 group by 1, 2`,
    [since],
  );
  return rows;
}
