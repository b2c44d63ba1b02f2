/** All SQL about endpoints, their attempts and replays. What delivers is in deliver/deliver-store.ts. */
import type { Queryable } from "../../db/pool.ts";

export type Endpoint = {
  userId: string;
  endpointId: string;
  url: string;
  /** A bit for each kind of event. */
  events: number;
  secret: Buffer;
  isOn: boolean;
  offReason: string | null;
  createdAt: Date;
};

const ENDPOINT_COLUMNS = `user_id as "userId", endpoint_id as "endpointId", url, events, secret, is_on as "isOn", off_reason as "offReason",
  created_at as "createdAt"`;

/** Holds the customer's row until the transaction ends, so that endpoints are counted, and what they ask for is added up, one change after the other. */
export async function lockCustomer(tx: Queryable, userId: string): Promise<void> {
  await tx.query("select from app_user where user_id = $1 for no key update", [userId]);
}

export async function countEndpoints(tx: Queryable, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>("select count(*) from webhook_endpoint where user_id = $1", [
    userId,
  ]);
  return rows[0]?.count ?? 0;
}

/** What any endpoint of the customer asks for, where every send reads it. */
export async function addUpEvents(tx: Queryable, userId: string): Promise<void> {
  const { rows } = await tx.query<{ events: number }>(
    "select coalesce(bit_or(events), 0) as events from webhook_endpoint where user_id = $1",
    [userId],
  );
  await tx.query("update app_user set followed_events = $2 where user_id = $1 and followed_events <> $2", [
    userId,
    rows[0]?.events ?? 0,
  ]);
}

export async function insertEndpoint(
  tx: Queryable,
  endpoint: Pick<Endpoint, "userId" | "endpointId" | "url" | "events" | "secret" | "createdAt">,
): Promise<void> {
  await tx.query(
    "insert into webhook_endpoint (user_id, endpoint_id, url, events, secret, created_at) values ($1, $2, $3, $4, $5, $6)",
    [endpoint.userId, endpoint.endpointId, endpoint.url, endpoint.events, endpoint.secret, endpoint.createdAt],
  );
}

type Key = { userId: string; endpointId: string };

export async function findEndpoint(db: Queryable, { userId, endpointId }: Key): Promise<Endpoint | undefined> {
  const { rows } = await db.query<Endpoint>(
    `select ${ENDPOINT_COLUMNS} from webhook_endpoint where user_id = $1 and endpoint_id = $2`,
    [userId, endpointId],
  );
  return rows[0];
}

/** Newest first. */
export async function selectEndpoints(
  db: Queryable,
  { userId, before, limit }: { userId: string; before: string | undefined; limit: number },
): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>(
    `select ${ENDPOINT_COLUMNS} from webhook_endpoint where user_id = $1 and ($2::uuid is null or endpoint_id < $2)
     order by endpoint_id desc limit $3`,
    [userId, before ?? null, limit],
  );
  return rows;
}

/** What is left out stays. Switched on, it starts without the past; switched off by hand there is no reason to tell. */
export async function updateEndpoint(
  tx: Queryable,
  { userId, endpointId }: Key,
  change: { url?: string | undefined; events?: number | undefined; isOn?: boolean | undefined },
): Promise<Endpoint | undefined> {
  const { rows } = await tx.query<Endpoint>(
    `update webhook_endpoint set url = coalesce($3, url), events = coalesce($4, events), is_on = coalesce($5, is_on),
       off_reason = case when $5::boolean is null then off_reason end, failing_since = case when $5::boolean then null else failing_since end
     where user_id = $1 and endpoint_id = $2 returning ${ENDPOINT_COLUMNS}`,
    [userId, endpointId, change.url ?? null, change.events ?? null, change.isOn ?? null],
  );
  return rows[0];
}

export async function updateSecret(
  tx: Queryable,
  { userId, endpointId }: Key,
  { secret, oldUntil }: { secret: Buffer; oldUntil: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update webhook_endpoint set old_secret = secret, old_secret_until = $4, secret = $3 where user_id = $1 and endpoint_id = $2`,
    [userId, endpointId, secret, oldUntil],
  );
  return rowCount === 1;
}

/** What it was sent goes with it; events that other endpoints have stay. */
export async function deleteEndpoint(tx: Queryable, { userId, endpointId }: Key): Promise<boolean> {
  const key = [userId, endpointId];
  const { rowCount } = await tx.query("delete from webhook_endpoint where user_id = $1 and endpoint_id = $2", key);
  await tx.query("delete from webhook_delivery where user_id = $1 and endpoint_id = $2", key);
  await tx.query("delete from webhook_attempt where user_id = $1 and endpoint_id = $2", key);
  return rowCount === 1;
}

export type Attempt = {
  attemptId: string;
  eventId: string;
  type: string;
  attemptedAt: Date;
  status: number;
  durationMs: number;
  answer: string;
  isDelivered: boolean;
};

/** Newest first. */
export async function selectAttempts(
  db: Queryable,
  page: Key & { isDelivered: boolean | undefined; before: string | undefined; limit: number },
): Promise<Attempt[]> {
  const { rows } = await db.query<Attempt>(
    `select attempt_id as "attemptId", event_id as "eventId", type, attempted_at as "attemptedAt", status, duration_ms as "durationMs", answer,
       is_delivered as "isDelivered"
     from webhook_attempt
     where user_id = $1 and endpoint_id = $2 and ($3::uuid is null or attempt_id < $3) and ($4::boolean is null or is_delivered = $4)
     order by attempt_id desc limit $5`,
    [page.userId, page.endpointId, page.before ?? null, page.isDelivered ?? null, page.limit],
  );
  return rows;
}

/** As the new row that stands in the way: a delivery that was never tried. */
const ANEW =
  "state = excluded.state, try_count = excluded.try_count, first_tried_at = excluded.first_tried_at, next_try_at = excluded.next_try_at";

/** @returns how many are delivered again: 1, or 0 when the customer has no such event. */
export async function replayEvent(tx: Queryable, { userId, endpointId }: Key, eventId: string): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into webhook_delivery (user_id, endpoint_id, event_id)
     select user_id, $2, event_id from webhook_event where user_id = $1 and event_id = $3
     on conflict (user_id, endpoint_id, event_id) do update set ${ANEW}`,
    [userId, endpointId, eventId],
  );
  return rowCount ?? 0;
}

/** What was given up, and what failed and waits for its next try. */
export async function replayFailed(tx: Queryable, { userId, endpointId }: Key): Promise<number> {
  const { rowCount } = await tx.query(
    `update webhook_delivery set state = 0, try_count = 0, first_tried_at = null, next_try_at = now()
     where user_id = $1 and endpoint_id = $2 and (state = 2 or state = 0 and try_count > 0)`,
    [userId, endpointId],
  );
  return rowCount ?? 0;
}

/** All events of a time that the endpoint asks for, those that happened while it was switched off as well. */
export async function replayPeriod(
  tx: Queryable,
  { userId, endpointId }: Key,
  { from, to, types }: { from: Date; to: Date; types: readonly string[] },
): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into webhook_delivery (user_id, endpoint_id, event_id)
     select user_id, $2, event_id from webhook_event
     where user_id = $1 and created_at >= $3 and created_at <= $4 and type = any ($5::text[])
     on conflict (user_id, endpoint_id, event_id) do update set ${ANEW}`,
    [userId, endpointId, from, to, types],
  );
  return rowCount ?? 0;
}

/** Forgets events and attempts that are older; what waits for a try stays with its event. */
export async function deleteOldEvents(db: Queryable, before: Date): Promise<void> {
  await db.query("delete from webhook_attempt where attempted_at < $1", [before]);
  await db.query("delete from webhook_delivery where created_at < $1 and state <> 0", [before]);
  await db.query(
    `delete from webhook_event own where created_at < $1 and not exists (
       select from webhook_delivery d where d.user_id = own.user_id and d.event_id = own.event_id)`,
    [before],
  );
}
