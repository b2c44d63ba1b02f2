import type { Queryable } from "../../db/pool.ts";

/** Uses the clock of the database, because the clocks of the machines may differ. */
export async function beat(db: Queryable, process: { processId: string; roles: string[] }): Promise<void> {
  await db.query(
    `insert into process_heartbeat (process_id, roles, started_at, seen_at) values ($1, $2, now(), now())
     on conflict (process_id) do update set seen_at = excluded.seen_at`,
    [process.processId, process.roles],
  );
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
