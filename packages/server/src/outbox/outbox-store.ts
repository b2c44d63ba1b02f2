/** The SQL by which events are written; what delivers them reads them in features/webhooks. */
import { isDistributed, ONE_SERVER } from "../db/distribution.ts";
import type { Queryable } from "../db/pool.ts";

/** Heard by who delivers, when a transaction that wrote events has committed. */
export const EVENT_CHANNEL = "webhook_event";

type NewEvents = { userId: string; type: string; bit: number; eventIds: string[]; bodies: string[] };

/** @returns how many deliveries wait because of them. */
export async function insertEvents(tx: Queryable, events: NewEvents): Promise<number> {
  if (isDistributed(tx)) return await insertEventsInSteps(tx, events);
  const { rowCount } = await tx.query({
    name: "new-events",
    text: `${ONE_SERVER}
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

/** A cluster takes no statement that writes into two tables from what it reads. */
async function insertEventsInSteps(tx: Queryable, events: NewEvents): Promise<number> {
  const { rows: wanted } = await tx.query<{ endpointId: string; isOn: boolean }>({
    name: "event-endpoints",
    text: `select endpoint_id as "endpointId", is_on as "isOn" from webhook_endpoint where user_id = $1 and events & $2 <> 0`,
    values: [events.userId, events.bit],
  });
  if (wanted.length === 0) return 0;
  const { rows: added } = await tx.query<{ eventId: string }>({
    name: "new-events-alone",
    text: `insert into webhook_event (user_id, event_id, type, body)
     select $1::uuid, event_id, $2::text, body from unnest($3::uuid[], $4::text[]) as new (event_id, body)
     on conflict do nothing returning event_id as "eventId"`,
    values: [events.userId, events.type, events.eventIds, events.bodies],
  });
  const endpointIds = wanted.flatMap(({ endpointId, isOn }) => (isOn ? [endpointId] : []));
  const { rowCount } = await tx.query({
    name: "new-event-deliveries",
    text: `insert into webhook_delivery (user_id, endpoint_id, event_id)
     select $1::uuid, endpoint_id, event_id from unnest($2::uuid[]) as endpoint (endpoint_id) cross join unnest($3::uuid[]) as event (event_id)`,
    values: [events.userId, endpointIds, added.map(({ eventId }) => eventId)],
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
