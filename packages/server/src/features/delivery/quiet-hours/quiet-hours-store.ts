/** All SQL about when promotional messages may leave. */
import type { QuietHours } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { DELIVERY_CHANNEL, QUIET_HOURS_PAYLOAD } from "../delivery-limits.ts";
import { batchStates } from "../states.ts";

export type QuietHoursRow = QuietHours & { quietHoursId: string };

const COLUMNS = `quiet_hours_id as "quietHoursId", code, time_zone as "timeZone", opens_at as "opensAt", closes_at as "closesAt"`;

export async function selectQuietHours(db: Queryable): Promise<QuietHoursRow[]> {
  const { rows } = await db.query<QuietHoursRow>(`select ${COLUMNS} from quiet_hours order by code`);
  return rows;
}

/** Locks the code's row, when there is one, until the transaction ends. */
export async function lockQuietHours(tx: Queryable, code: string): Promise<QuietHoursRow | undefined> {
  const { rows } = await tx.query<QuietHoursRow>(`select ${COLUMNS} from quiet_hours where code = $1 for update`, [
    code,
  ]);
  return rows[0];
}

/** Makes the code's row, or replaces what it says. @returns the row as stored. */
export async function upsertQuietHours(tx: Queryable, row: QuietHoursRow, now: Date): Promise<QuietHoursRow> {
  const { rows } = await tx.query<QuietHoursRow>(
    `insert into quiet_hours (quiet_hours_id, code, time_zone, opens_at, closes_at, updated_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (code) do update set time_zone = excluded.time_zone, opens_at = excluded.opens_at, closes_at = excluded.closes_at,
       updated_at = excluded.updated_at
     returning ${COLUMNS}`,
    [row.quietHoursId, row.code, row.timeZone, row.opensAt, row.closesAt, now],
  );
  return rows[0] ?? row;
}

/** @returns the row that there was. */
export async function deleteQuietHours(tx: Queryable, quietHoursId: string): Promise<QuietHoursRow | undefined> {
  const { rows } = await tx.query<QuietHoursRow>(
    `delete from quiet_hours where quiet_hours_id = $1 returning ${COLUMNS}`,
    [quietHoursId],
  );
  return rows[0];
}

/** What of these lanes is accepted, may be handed over, and is not yet. Walks the partial indexes of open batches alone. */
export async function countOpenOfLanes(
  db: Queryable,
  lanes: readonly number[],
): Promise<{ lane: number; messages: number; recipients: number }[]> {
  const { rows } = await db.query<{ lane: number; messages: number; recipients: number }>(
    `with open_message as materialized (
       select user_id, message_id, lane from message_batch where state = ${batchStates.ready} and lane = any($1)
       union
       select user_id, message_id, lane from message_batch where state = ${batchStates.leased} and lane = any($1)
     )
     select lane, count(*)::integer as messages, sum(waiting)::bigint as recipients
     from open_message join message_count using (user_id, message_id) where waiting > 0 group by lane order by lane`,
    [lanes],
  );
  return rows;
}

/** Tells the workers when the transaction commits. */
export async function notifyOfQuietHours(tx: Queryable): Promise<void> {
  await tx.query("select pg_notify($1, $2)", [DELIVERY_CHANNEL, QUIET_HOURS_PAYLOAD]);
}
