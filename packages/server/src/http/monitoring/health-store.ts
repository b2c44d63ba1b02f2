import type { Queryable } from "../../db/pool.ts";

/** What a process tells of itself, of its machine, and of the last time that it was without the database. */
export type Beat = {
  processId: string;
  roles: string[];
  host: string;
  /** Null where the system does not say. */
  diskFreePercent: number | null;
  outage: { lostAt: Date; backAt: Date } | undefined;
};

/** Uses the clock of the database, because the clocks of the machines may differ. */
export async function beat(db: Queryable, { processId, roles, host, diskFreePercent, outage }: Beat): Promise<void> {
  await db.query(
    `insert into process_heartbeat (process_id, roles, started_at, seen_at, host, disk_free_percent, database_lost_at, database_back_at)
     values ($1, $2, now(), now(), $3, $4, $5, $6)
     on conflict (process_id) do update set seen_at = excluded.seen_at, disk_free_percent = excluded.disk_free_percent,
       database_lost_at = excluded.database_lost_at, database_back_at = excluded.database_back_at`,
    [processId, roles, host, diskFreePercent, outage?.lostAt ?? null, outage?.backAt ?? null],
  );
}

/** The last beat of a process that still beats. */
export type SeenBeat = {
  roles: string[];
  startedAt: Date;
  host: string;
  diskFreePercent: number | null;
  lostAt: Date | null;
  backAt: Date | null;
};

/** Free space of each machine, and times without the database, as processes told that were seen lately. */
export async function selectBeats(db: Queryable, seenWithinSeconds: number): Promise<SeenBeat[]> {
  const { rows } = await db.query<SeenBeat>(
    `select roles, started_at as "startedAt", host, disk_free_percent as "diskFreePercent", database_lost_at as "lostAt", database_back_at as "backAt"
     from process_heartbeat where host is not null and seen_at > now() - make_interval(secs => $1) order by database_lost_at`,
    [seenWithinSeconds],
  );
  return rows;
}

export async function deleteHeartbeat(db: Queryable, processId: string): Promise<void> {
  await db.query(`delete from process_heartbeat where process_id = $1`, [processId]);
}

/** Deletes the heartbeats of processes that were killed. */
export async function deleteOldHeartbeats(db: Queryable): Promise<void> {
  await db.query(`delete from process_heartbeat where seen_at < now() - interval '1 hour'`);
}

export type SeenProcess = { processId: string; roles: string[]; startedAt: Date; seenAt: Date };

export async function selectProcesses(db: Queryable, seenWithinSeconds: number): Promise<SeenProcess[]> {
  const { rows } = await db.query<SeenProcess>(
    `select process_id as "processId", roles, started_at as "startedAt", seen_at as "seenAt" from process_heartbeat
     where seen_at > now() - make_interval(secs => $1) order by started_at, process_id`,
    [seenWithinSeconds],
  );
  return rows;
}

export async function selectAppliedVersions(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ version: number }>(`select version from schema_migration`);
  return rows.map((row) => row.version);
}
