/** The SQL by which events are written; what delivers them reads them in features/webhooks. */
import type { Queryable } from "../db/pool.ts";

/** Heard by who delivers, when a transaction that wrote events has committed. */
export const EVENT_CHANNEL = "webhook_event";

/** @returns how many endpoints it goes to. */
export async function insertEvents(
  tx: Queryable,
  events: { userId: string; type: string; bit: number; eventIds: string[]; bodies: string[] },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: "new-events",
    text: `
      with wanted as materialized (
        select endpoint_id, is_on from webhook_endpoint where user_id = $1 and events & $3 <> 0
      ), event as (
        insert into webhook_event (user_id, event_id, type, body)
        select $1, event_id, $2, body from unnest($4::uuid[], $5::text[]) as new (event_id, body)
        where exists (select from wanted) on conflict do nothing returning event_id
      )
      insert into webhook_delivery (user_id, endpoint_id, event_id)
      select $1, endpoint_id, event_id from wanted cross join event where is_on`,
    values: [events.userId, events.type, events.bit, events.eventIds, events.bodies],
  });
  return rowCount ?? 0;
}

export async function selectHasListener(tx: Queryable, userId: string, bit: number): Promise<boolean> {
  const { rows } = await tx.query({
    name: "has-listener",
    text: "select from webhook_endpoint where user_id = $1 and events & $2 <> 0 limit 1",
    values: [userId, bit],
  });
  return rows.length > 0;
}

export async function notifyDeliverers(tx: Queryable): Promise<void> {
  await tx.query({ name: "wake-deliverers", text: "select pg_notify($1, '')", values: [EVENT_CHANNEL] });
}
