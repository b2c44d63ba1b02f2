/** All SQL about carriers and who holds their binds. */
import { messageClasses, type MessageClass } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";

export type CarrierRow = {
  carrierId: number;
  name: string;
  prefixes: string[];
  weight: number;
  priority: number;
  bindCount: number;
  classes: MessageClass[];
  reachesDnd: boolean;
};

export async function selectEnabledCarriers(db: Queryable): Promise<CarrierRow[]> {
  const { rows } = await db.query<CarrierRow>({
    name: "enabled-carriers",
    text: `select carrier_id as "carrierId", name, prefixes, weight, priority, bind_count as "bindCount", classes, reaches_dnd as "reachesDnd"
     from carrier where is_enabled order by carrier_id`,
  });
  return rows;
}

export type CarrierColumns = {
  name: string;
  prefixes: readonly string[];
  weight: number;
  priority: number;
  bindCount: number;
  /** Both when absent. */
  classes?: readonly MessageClass[];
  reachesDnd?: boolean;
};

/** Makes the carriers what the configuration says; those that are gone from it keep their rows and take no more. */
export async function upsertCarriers(tx: Queryable, carriers: readonly CarrierColumns[]): Promise<CarrierRow[]> {
  // A row at a time: an identity must not be spent on every start, and there are a handful.
  for (const carrier of carriers) {
    const { classes = messageClasses, reachesDnd = false } = carrier;
    const facts = [carrier.name, carrier.prefixes, carrier.weight, carrier.priority, carrier.bindCount];
    const values = [...facts, classes, reachesDnd];
    const { rowCount } = await tx.query(
      `update carrier set prefixes = $2, weight = $3, priority = $4, bind_count = $5, classes = $6, reaches_dnd = $7, is_enabled = true, updated_at = now() where name = $1`,
      values,
    );
    if (rowCount === 1) continue;
    await tx.query(
      `insert into carrier (name, prefixes, weight, priority, bind_count, classes, reaches_dnd) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (name) do nothing`,
      values,
    );
  }
  await tx.query(
    "update carrier set is_enabled = false, updated_at = now() where is_enabled and not (name = any ($1::text[]))",
    [carriers.map((carrier) => carrier.name)],
  );
  return selectEnabledCarriers(tx);
}

/** @returns undefined for a carrier that no worker ever had. */
export async function findCarrierId(db: Queryable, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ carrierId: number }>(
    `select carrier_id as "carrierId" from carrier where name = $1`,
    [name],
  );
  return rows[0]?.carrierId;
}

/**
 * Whether any carrier takes messages of a class to numbers that begin with a dialling code, at least some of them. A carrier that is down
 * at the moment counts: its messages wait.
 *
 * @param code digits only.
 */
export async function hasRoute(db: Queryable, code: string, messageClass?: MessageClass): Promise<boolean> {
  const carriers = await selectEnabledCarriers(db);
  return carriers.some(
    ({ prefixes, classes }) =>
      (messageClass === undefined || classes.includes(messageClass)) &&
      (prefixes.length === 0 || prefixes.some((prefix) => code.startsWith(prefix) || prefix.startsWith(code))),
  );
}

/** @returns the beginnings of do-not-disturb numbers that some carrier reaches with transactional messages; an empty text is all. */
export async function readDndPrefixes(db: Queryable): Promise<string[]> {
  const carriers = await selectEnabledCarriers(db);
  const reaching = carriers.filter(({ reachesDnd, classes }) => reachesDnd && classes.includes("transactional"));
  return reaching.flatMap(({ prefixes }) => (prefixes.length === 0 ? [""] : prefixes));
}

/** All SQL about how workers see carriers. */
export type WorkerHealth = {
  carrierId: number;
  boundCount: number;
  heldCount: number;
  changedAt: Date;
  lastError: string | null;
  lastErrorAt: Date | null;
  messagesPerSecond: number;
  inFlight: number;
  goodCount: number;
  badCount: number;
};

/** Makes a worker's rows those given; rows of carriers that it does not have any more go. */
export async function upsertCarrierHealth(
  db: Queryable,
  workerId: string,
  rows: readonly WorkerHealth[],
): Promise<void> {
  await db.query(
    `with told as (
       select * from jsonb_to_recordset($2::jsonb) as told ("carrierId" smallint, "boundCount" smallint, "heldCount" smallint, "changedAt" timestamptz,
         "lastError" text, "lastErrorAt" timestamptz, "messagesPerSecond" double precision, "inFlight" integer, "goodCount" bigint, "badCount" bigint)
     ), gone as (
       delete from carrier_health where worker_id = $1 and not (carrier_id = any (select "carrierId" from told))
     )
     insert into carrier_health (carrier_id, worker_id, bound_count, held_count, changed_at, last_error, last_error_at, messages_per_second, in_flight,
       good_count, bad_count)
     select "carrierId", $1, "boundCount", "heldCount", "changedAt", "lastError", "lastErrorAt", "messagesPerSecond", "inFlight", "goodCount", "badCount" from told
     on conflict (carrier_id, worker_id) do update set bound_count = excluded.bound_count, held_count = excluded.held_count, changed_at = excluded.changed_at,
       last_error = excluded.last_error, last_error_at = excluded.last_error_at, messages_per_second = excluded.messages_per_second,
       in_flight = excluded.in_flight, good_count = excluded.good_count, bad_count = excluded.bad_count`,
    [workerId, JSON.stringify(rows)],
  );
}

export type CarrierHealthSum = Omit<WorkerHealth, "carrierId"> & { name: string };

/** What all living workers see, together, by the carrier's name. */
export async function selectCarrierHealth(db: Queryable): Promise<CarrierHealthSum[]> {
  const { rows } = await db.query<CarrierHealthSum>(
    `select c.name, sum(h.bound_count)::integer as "boundCount", sum(h.held_count)::integer as "heldCount",
       coalesce(min(h.changed_at) filter (where h.bound_count > 0), max(h.changed_at)) as "changedAt",
       (array_agg(h.last_error order by h.last_error_at desc nulls last))[1] as "lastError", max(h.last_error_at) as "lastErrorAt",
       sum(h.messages_per_second) as "messagesPerSecond", sum(h.in_flight)::integer as "inFlight",
       sum(h.good_count)::bigint as "goodCount", sum(h.bad_count)::bigint as "badCount"
     from carrier_health h join carrier c using (carrier_id) join delivery_worker w using (worker_id)
     where w.lease_until > now() group by c.name`,
  );
  return rows;
}
