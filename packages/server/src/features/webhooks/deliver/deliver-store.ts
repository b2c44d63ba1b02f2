/** All SQL by which events reach endpoints. Times are the database's; `aheadSeconds` moves them in tests, and is 0 otherwise. */
import type { Queryable } from "../../../db/pool.ts";

type Key = { userId: string; endpointId: string };

/** Endpoints that are on, have something to be delivered now, and that no other worker has. */
export async function selectDueEndpoints(
  db: Queryable,
  { workerId, aheadSeconds, limit }: { workerId: string; aheadSeconds: number; limit: number },
): Promise<Key[]> {
  const { rows } = await db.query<Key>({
    name: "due-endpoints",
    text: `
      select user_id as "userId", endpoint_id as "endpointId" from webhook_endpoint own
      where is_on and (lease_owner is null or lease_owner = $1 or lease_until < now()) and exists (
        select from webhook_delivery d where d.user_id = own.user_id and d.endpoint_id = own.endpoint_id and d.state = 0
          and d.next_try_at <= now() + make_interval(secs => $2))
      limit $3`,
    values: [workerId, aheadSeconds, limit],
  });
  return rows;
}

/** @returns false when another worker was faster, or the endpoint is gone. */
export async function leaseEndpoint(
  db: Queryable,
  { userId, endpointId }: Key,
  { workerId, seconds }: { workerId: string; seconds: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "lease-endpoint",
    text: `update webhook_endpoint set lease_owner = $3, lease_until = now() + make_interval(secs => $4)
      where user_id = $1 and endpoint_id = $2 and is_on and (lease_owner is null or lease_owner = $3 or lease_until < now())`,
    values: [userId, endpointId, workerId, seconds],
  });
  return rowCount === 1;
}

export async function renewLeases(db: Queryable, workerId: string, seconds: number): Promise<void> {
  await db.query(
    "update webhook_endpoint set lease_until = now() + make_interval(secs => $2) where lease_owner = $1 and lease_until >= now()",
    [workerId, seconds],
  );
}

/** @param key one endpoint; all of the worker's when absent. */
export async function endLeases(db: Queryable, workerId: string, key?: Key): Promise<void> {
  if (key === undefined)
    await db.query("update webhook_endpoint set lease_owner = null, lease_until = null where lease_owner = $1", [
      workerId,
    ]);
  else
    await db.query(
      "update webhook_endpoint set lease_owner = null, lease_until = null where user_id = $2 and endpoint_id = $3 and lease_owner = $1",
      [workerId, key.userId, key.endpointId],
    );
}

/** What is due at an endpoint, the longest first. @param without what is under way. */
export async function selectDueEvents(
  db: Queryable,
  { userId, endpointId }: Key,
  { aheadSeconds, limit, without }: { aheadSeconds: number; limit: number; without: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ eventId: string }>({
    name: "due-events",
    text: `select event_id as "eventId" from webhook_delivery
      where user_id = $1 and endpoint_id = $2 and state = 0 and next_try_at <= now() + make_interval(secs => $3) and event_id <> all ($4::uuid[])
      order by next_try_at, event_id limit $5`,
    values: [userId, endpointId, aheadSeconds, without, limit],
  });
  return rows.map(({ eventId }) => eventId);
}

export type DueEvent = {
  eventId: string;
  type: string;
  body: string;
  tryCount: number;
  url: string;
  secret: Buffer;
  /** The one before, while it is valid. */
  oldSecret: Buffer | null;
};

/** What is to be posted, as it stands now. @returns undefined when there is nothing to do any more, or the lease is another's. */
export async function readDueEvent(
  db: Queryable,
  { userId, endpointId }: Key,
  { workerId, eventId, aheadSeconds }: { workerId: string; eventId: string; aheadSeconds: number },
): Promise<DueEvent | undefined> {
  const { rows } = await db.query<DueEvent>({
    name: "due-event",
    text: `
      select event.event_id as "eventId", type, body, try_count as "tryCount", url, secret,
        case when old_secret_until > now() + make_interval(secs => $5) then old_secret end as "oldSecret"
      from webhook_delivery own
      join webhook_event event on event.user_id = own.user_id and event.event_id = own.event_id
      join webhook_endpoint endpoint on endpoint.user_id = own.user_id and endpoint.endpoint_id = own.endpoint_id
      where own.user_id = $1 and own.endpoint_id = $2 and own.event_id = $3 and own.state = 0 and is_on
        and lease_owner = $4 and lease_until > now()`,
    values: [userId, endpointId, eventId, workerId, aheadSeconds],
  });
  return rows[0];
}

export type AttemptResult = {
  attemptId: string;
  eventId: string;
  type: string;
  status: number;
  durationMs: number;
  answer: string;
  isDelivered: boolean;
};

export async function insertAttempt(
  tx: Queryable,
  { userId, endpointId }: Key,
  { attemptId, eventId, type, status, durationMs, answer, isDelivered }: AttemptResult,
  aheadSeconds: number,
): Promise<void> {
  await tx.query({
    name: "new-attempt",
    text: `insert into webhook_attempt (user_id, endpoint_id, attempt_id, event_id, type, attempted_at, status, duration_ms, answer, is_delivered)
      select user_id, endpoint_id, $3, $4, $5, now() + make_interval(secs => $10), $6, $7, $8, $9 from webhook_endpoint where user_id = $1 and endpoint_id = $2`,
    values: [userId, endpointId, attemptId, eventId, type, status, durationMs, answer, isDelivered, aheadSeconds],
  });
}

/** It is there: its own retries end. */
export async function markDelivered(tx: Queryable, { userId, endpointId }: Key, eventId: string): Promise<void> {
  const key = [userId, endpointId];
  await tx.query({
    name: "event-delivered",
    text: "update webhook_delivery set state = 1 where user_id = $1 and endpoint_id = $2 and event_id = $3 and state = 0",
    values: [...key, eventId],
  });
  await tx.query({
    name: "endpoint-works",
    text: "update webhook_endpoint set failing_since = null where user_id = $1 and endpoint_id = $2 and failing_since is not null",
    values: key,
  });
}

/**
 * It is tried again after a while, or given up when its time is over.
 *
 * @returns whether its time is over.
 */
export async function markFailed(
  tx: Queryable,
  { userId, endpointId }: Key,
  { eventId, delaySeconds, ...times }: { eventId: string; delaySeconds: number; hours: number; aheadSeconds: number },
): Promise<boolean> {
  // Read first: a cluster computes no row from its clock while it writes it.
  const { rows } = await tx.query<{ firstTriedAt: string; nextTryAt: string; isOver: boolean }>({
    name: "failed-event",
    text: `
      select began::text as "firstTriedAt", least(at + make_interval(secs => $4), began + make_interval(hours => $5))::text as "nextTryAt",
        began + make_interval(hours => $5) <= at as "isOver"
      from (
        select coalesce(first_tried_at, now() + make_interval(secs => $6)) as began, now() + make_interval(secs => $6) as at
        from webhook_delivery where user_id = $1 and endpoint_id = $2 and event_id = $3 and state = 0 for update) as failed`,
    values: [userId, endpointId, eventId, delaySeconds, times.hours, times.aheadSeconds],
  });
  const [failed] = rows;
  if (failed !== undefined)
    await tx.query({
      name: "event-failed",
      text: `update webhook_delivery set try_count = try_count + 1, first_tried_at = $4::timestamptz, next_try_at = $5::timestamptz, state = $6
        where user_id = $1 and endpoint_id = $2 and event_id = $3`,
      values: [userId, endpointId, eventId, failed.firstTriedAt, failed.nextTryAt, failed.isOver ? 2 : 0],
    });
  await tx.query({
    name: "endpoint-fails",
    text: `update webhook_endpoint set failing_since = now() + make_interval(secs => $3)
      where user_id = $1 and endpoint_id = $2 and failing_since is null`,
    values: [userId, endpointId, times.aheadSeconds],
  });
  return failed?.isOver === true;
}

/** Switches an endpoint off at which nothing has arrived for so long. @returns its owner, when this call did it. */
export async function switchOff(
  tx: Queryable,
  { userId, endpointId }: Key,
  { reason, hours, aheadSeconds }: { reason: string; hours: number; aheadSeconds: number },
): Promise<{ email: string; userName: string; url: string } | undefined> {
  const { rows } = await tx.query<{ url: string }>(
    `update webhook_endpoint set is_on = false, off_reason = $3
     where user_id = $1 and endpoint_id = $2 and is_on and failing_since <= now() + make_interval(secs => $5) - make_interval(hours => $4)
     returning url`,
    [userId, endpointId, reason, hours, aheadSeconds],
  );
  const [endpoint] = rows;
  if (endpoint === undefined) return undefined;
  const { rows: owners } = await tx.query<{ email: string; userName: string }>(
    `select email, user_name as "userName" from app_user where user_id = $1`,
    [userId],
  );
  const [owner] = owners;
  return owner && { ...owner, ...endpoint };
}

/** Remembers messages in which nobody waits any more. */
export async function insertFinishes(
  tx: Queryable,
  userId: string,
  messageIds: readonly string[],
  waitSeconds: number,
): Promise<void> {
  await tx.query(
    `insert into webhook_finish (user_id, message_id, due_at)
     select user_id, message_id, now() + make_interval(secs => $3) from message_count
     where user_id = $1 and message_id = any ($2::uuid[]) and waiting = 0 on conflict do nothing`,
    [userId, messageIds, waitSeconds],
  );
}

type MessageKey = { userId: string; messageId: string };

/** Those of which every report is there, or whose time to wait for some is over. */
export async function selectFinished(db: Queryable, limit: number): Promise<MessageKey[]> {
  const { rows } = await db.query<MessageKey>({
    name: "finished-messages",
    text: `select user_id as "userId", message_id as "messageId" from webhook_finish join message_count using (user_id, message_id)
     where (due_at <= now() or sent + unknown = 0) and not exists (
       select from report_feed fed where fed.user_id = webhook_finish.user_id and fed.follower = 1 and fed.message_id = webhook_finish.message_id)
     order by due_at limit $1`,
    values: [limit],
  });
  return rows;
}

/** @returns false when somebody else did. */
export async function deleteFinish(tx: Queryable, { userId, messageId }: MessageKey): Promise<boolean> {
  const { rowCount } = await tx.query("delete from webhook_finish where user_id = $1 and message_id = $2", [
    userId,
    messageId,
  ]);
  return rowCount === 1;
}

/** When the event that has been due longest became due, of all endpoints that are on; undefined when none is due. */
export async function findOldestDueEvent(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date | null }>(
    `select min(next_try_at) as since from webhook_endpoint own
     join webhook_delivery d on d.user_id = own.user_id and d.endpoint_id = own.endpoint_id and d.state = 0
     where is_on and next_try_at < now()`,
  );
  return rows[0]?.since ?? undefined;
}
