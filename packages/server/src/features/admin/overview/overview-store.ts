/** All SQL of the overview's charts: the sums that the job writes, and reading them. */
import type { Queryable } from "../../../db/pool.ts";
import type { UnitFlow } from "../../../ledger/index.ts";

export type Outcomes = { sent: number; delivered: number; failed: number; dnd: number; unknown: number };
export type NetworkHour = Outcomes & { hour: Date; network: string };

/** In key order, so that two runs of the job at once wait for each other instead of deadlocking. */
export async function upsertTraffic(tx: Queryable, rows: readonly NetworkHour[]): Promise<void> {
  await tx.query(
    `insert into traffic_hour (hour, network, sent, delivered, failed, dnd, unknown)
     select * from unnest($1::timestamptz[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
       as new (hour, network, sent, delivered, failed, dnd, unknown) order by hour, network
     on conflict (hour, network) do update set sent = excluded.sent, delivered = excluded.delivered, failed = excluded.failed,
       dnd = excluded.dnd, unknown = excluded.unknown`,
    [
      rows.map(({ hour }) => hour),
      rows.map(({ network }) => network),
      rows.map(({ sent }) => sent),
      rows.map(({ delivered }) => delivered),
      rows.map(({ failed }) => failed),
      rows.map(({ dnd }) => dnd),
      rows.map(({ unknown }) => unknown),
    ],
  );
}

export async function upsertUnitFlows(tx: Queryable, flows: readonly UnitFlow[]): Promise<void> {
  await tx.query(
    `insert into customer_day (user_id, day, sold_milli, used_milli)
     select * from unnest($1::uuid[], $2::date[], $3::bigint[], $4::bigint[]) as new (user_id, day, sold_milli, used_milli)
     order by user_id, day
     on conflict (user_id, day) do update set sold_milli = excluded.sold_milli, used_milli = excluded.used_milli`,
    [
      flows.map(({ userId }) => userId),
      flows.map(({ day }) => day),
      flows.map(({ soldMilli }) => soldMilli),
      flows.map(({ usedMilli }) => usedMilli),
    ],
  );
}

/** @returns undefined before the first time. */
export async function findRefreshedAt(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.query<{ refreshedAt: Date }>('select refreshed_at as "refreshedAt" from overview_refresh');
  return rows[0]?.refreshedAt;
}

export async function putRefreshedAt(tx: Queryable, now: Date): Promise<void> {
  await tx.query(
    `insert into overview_refresh (refreshed_at) values ($1)
     on conflict (is_only) do update set refreshed_at = greatest(overview_refresh.refreshed_at, excluded.refreshed_at)`,
    [now],
  );
}

const SUM_OUTCOMES = `sum(sent)::bigint as sent, sum(delivered)::bigint as delivered, sum(failed)::bigint as failed,
  sum(dnd)::bigint as dnd, sum(unknown)::bigint as unknown`;

export async function selectTrafficByDay(db: Queryable, since: Date): Promise<(Outcomes & { day: string })[]> {
  const { rows } = await db.query<Outcomes & { day: string }>(
    `select (hour at time zone 'Africa/Lagos')::date as day, ${SUM_OUTCOMES} from traffic_hour where hour >= $1 group by 1`,
    [since],
  );
  return rows;
}

/** The busiest first. */
export async function selectTrafficByNetwork(db: Queryable, since: Date): Promise<(Outcomes & { network: string })[]> {
  const { rows } = await db.query<Outcomes & { network: string }>(
    `select network, ${SUM_OUTCOMES} from traffic_hour where hour >= $1 group by network
     order by sum(sent + delivered + failed + dnd + unknown) desc, network`,
    [since],
  );
  return rows;
}

/** @param sinceDay `YYYY-MM-DD` */
export async function selectUnitsByDay(
  db: Queryable,
  sinceDay: string,
): Promise<{ day: string; soldMilli: number; usedMilli: number }[]> {
  const { rows } = await db.query<{ day: string; soldMilli: number; usedMilli: number }>(
    `select day, sum(sold_milli)::bigint as "soldMilli", sum(used_milli)::bigint as "usedMilli"
     from customer_day where day >= $1 group by day`,
    [sinceDay],
  );
  return rows;
}

/** Who used the most units since that day, `YYYY-MM-DD`; nobody who used none. */
export async function selectTopCustomers(
  db: Queryable,
  sinceDay: string,
  limit: number,
): Promise<{ userId: string; usedMilli: number }[]> {
  const { rows } = await db.query<{ userId: string; usedMilli: number }>(
    `select user_id as "userId", sum(used_milli)::bigint as "usedMilli" from customer_day
     where day >= $1 group by user_id having sum(used_milli) > 0 order by sum(used_milli) desc, user_id limit $2`,
    [sinceDay, limit],
  );
  return rows;
}
