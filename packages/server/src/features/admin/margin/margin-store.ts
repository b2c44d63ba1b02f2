/** All SQL of the margin's tallies: the sums that the job writes, and reading them. */
import type { MarginBy } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";

export type MarginFigures = {
  messages: number;
  parts: number;
  revenueMilli: number;
  costMilli: number;
  /** Of the messages, those without a known cost. */
  uncosted: number;
};
export type MarginHour = MarginFigures & { userId: string; hour: Date; carrierId: number; code: string };

/** In key order, so that two runs of the job at once wait for each other instead of deadlocking. */
export async function upsertMargins(tx: Queryable, rows: readonly MarginHour[]): Promise<void> {
  await tx.query(
    `insert into margin_hour (user_id, hour, carrier_id, code, messages, parts, revenue_milli, cost_milli, uncosted)
     select * from unnest($1::uuid[], $2::timestamptz[], $3::smallint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
       as new (user_id, hour, carrier_id, code, messages, parts, revenue_milli, cost_milli, uncosted)
     order by user_id, hour, carrier_id, code
     on conflict (user_id, hour, carrier_id, code) do update set messages = excluded.messages, parts = excluded.parts,
       revenue_milli = excluded.revenue_milli, cost_milli = excluded.cost_milli, uncosted = excluded.uncosted`,
    [
      rows.map(({ userId }) => userId),
      rows.map(({ hour }) => hour),
      rows.map(({ carrierId }) => carrierId),
      rows.map(({ code }) => code),
      rows.map(({ messages }) => messages),
      rows.map(({ parts }) => parts),
      rows.map(({ revenueMilli }) => revenueMilli),
      rows.map(({ costMilli }) => costMilli),
      rows.map(({ uncosted }) => uncosted),
    ],
  );
}

const KEYS: Readonly<Record<MarginBy, string>> = {
  day: "(hour at time zone 'Africa/Lagos')::date::text",
  customer: "user_id::text",
  carrier: "carrier_id::text",
  country: "code",
};

export type MarginRow = MarginFigures & { key: string };

/** Sums of a period by one of four keys. Days in their order, the others with the most revenue first. */
export async function selectMargins(
  db: Queryable,
  by: MarginBy,
  { since, until }: { since: Date; until: Date },
  limit: number,
): Promise<MarginRow[]> {
  const { rows } = await db.query<MarginRow>(
    `select ${KEYS[by]} as key, sum(messages)::bigint as messages, sum(parts)::bigint as parts, sum(revenue_milli)::bigint as "revenueMilli",
       sum(cost_milli)::bigint as "costMilli", sum(uncosted)::bigint as uncosted
     from margin_hour where hour >= $1 and hour < $2 group by 1
     order by ${by === "day" ? "1" : "sum(revenue_milli) desc, 1"} limit $3`,
    [since, until, limit],
  );
  return rows;
}

/** Every name by its key: of carriers, or of the customers asked for. */
export async function selectCarrierNames(db: Queryable): Promise<Map<string, string>> {
  const { rows } = await db.query<{ key: string; name: string }>("select carrier_id::text as key, name from carrier");
  return new Map(rows.map(({ key, name }) => [key, name]));
}
