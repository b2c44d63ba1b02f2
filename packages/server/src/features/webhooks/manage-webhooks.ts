/** What customers do with their endpoints, from the page and with a key alike. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { webhookLimits, type ReplayBody, type WebhookEventType } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import { AppError, fieldError } from "../../base/errors.ts";
import { checkCallbackUrl } from "../../http/outbound/guarded-post.ts";
import { SECRET_PREFIX } from "../../http/outbound/standard-webhooks.ts";
import { eventBits, eventTypesOf, notifyDeliverers } from "../../outbox/index.ts";
import { sealSecret } from "../../secrets/seal-secret.ts";
import { getSecretsKey } from "../../secrets/secrets-key.ts";
import {
  addUpEvents,
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  lockCustomer,
  replayEvent,
  replayFailed,
  replayPeriod,
  selectAttempts,
  selectEndpoints,
  updateEndpoint,
  updateSecret,
  type Attempt,
  type Endpoint,
} from "./webhook-store.ts";

export type { Attempt, Endpoint } from "./webhook-store.ts";

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;

type Key = { userId: string; endpointId: string };
type Page = { limit: number; after?: string | undefined };

export type NewWebhook = { url: string; events: WebhookEventType[]; secret?: string | undefined };

/** @throws AppError `VALIDATION` for an address that nothing is posted to, or one endpoint too many. */
export async function makeWebhook(
  deps: Deps,
  userId: string,
  wish: NewWebhook,
): Promise<{ endpoint: Endpoint; secret: string }> {
  await checkCallbackUrl(deps.config, "url", wish.url);
  const endpointId = uuidv7();
  const secret = wish.secret ?? newSecret();
  const endpoint: Endpoint = {
    userId,
    endpointId,
    url: wish.url,
    events: eventBits(wish.events),
    secret: sealSecret(await getSecretsKey(deps.config), endpointId, secret),
    isOn: true,
    offReason: null,
    createdAt: deps.clock.now(),
  };
  await withTransaction(deps.db, async (tx) => {
    await lockCustomer(tx, userId);
    if ((await countEndpoints(tx, userId)) >= webhookLimits.endpointsMax)
      throw fieldError("url", `would be one more than ${webhookLimits.endpointsMax} endpoints`);
    await insertEndpoint(tx, endpoint);
    await addUpEvents(tx, userId);
  });
  return { endpoint, secret };
}

function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export async function listWebhooks(
  db: Queryable,
  userId: string,
  { limit, after }: Page,
): Promise<{ rows: Endpoint[]; next: string | null }> {
  assertIdCursor(after);
  return await readPage(
    limit,
    async (count) => await selectEndpoints(db, { userId, before: after, limit: count }),
    ({ endpointId }) => endpointId,
  );
}

/** @throws AppError `NOT_FOUND`; `VALIDATION` as for a new one. */
export async function editWebhook(
  deps: Deps,
  key: Key,
  change: { url?: string | undefined; events?: WebhookEventType[] | undefined; state?: "on" | "off" | undefined },
): Promise<Endpoint> {
  if (change.url !== undefined) await checkCallbackUrl(deps.config, "url", change.url);
  return await withTransaction(deps.db, async (tx) => {
    await lockCustomer(tx, key.userId);
    const endpoint = await updateEndpoint(tx, key, {
      url: change.url,
      events: change.events && eventBits(change.events),
      isOn: change.state && change.state === "on",
    });
    if (endpoint === undefined) throw new AppError("NOT_FOUND");
    await addUpEvents(tx, key.userId);
    // What waited while it was off goes on.
    await notifyDeliverers(tx);
    return endpoint;
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function deleteWebhook(deps: Deps, key: Key): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await lockCustomer(tx, key.userId);
    if (!(await deleteEndpoint(tx, key))) throw new AppError("NOT_FOUND");
    await addUpEvents(tx, key.userId);
  });
}

/**
 * Makes a new secret. For a day the one before signs as well, so that a program can change over when it likes.
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function rotateSecret(deps: Deps, key: Key): Promise<string> {
  const secret = newSecret();
  const sealed = sealSecret(await getSecretsKey(deps.config), key.endpointId, secret);
  const oldUntil = new Date(deps.clock.now().getTime() + webhookLimits.oldSecretHours * HOUR_MS);
  await withTransaction(deps.db, async (tx) => {
    if (!(await updateSecret(tx, key, { secret: sealed, oldUntil }))) throw new AppError("NOT_FOUND");
  });
  return secret;
}

/** @throws AppError `NOT_FOUND`; `VALIDATION` for a cursor that is none. */
export async function listAttempts(
  db: Queryable,
  key: Key,
  { limit, after, state }: Page & { state?: "delivered" | "failed" | undefined },
): Promise<{ rows: Attempt[]; next: string | null }> {
  assertIdCursor(after);
  await getEndpoint(db, key);
  return await readPage(
    limit,
    async (count) =>
      await selectAttempts(db, { ...key, before: after, limit: count, isDelivered: state && state === "delivered" }),
    ({ attemptId }) => attemptId,
  );
}

/**
 * Delivers again, under the events' own ids.
 *
 * @returns how many are on their way.
 * @throws AppError `NOT_FOUND` for the endpoint or the event; `STATE_CONFLICT` while it is switched off.
 */
export async function replay(deps: Deps, key: Key, wish: ReplayBody): Promise<number> {
  return await withTransaction(deps.db, async (tx) => {
    const { isOn, events } = await getEndpoint(tx, key);
    if (!isOn)
      throw new AppError("STATE_CONFLICT", { message: "Switch this webhook on first", extra: { state: "off" } });
    let queued: number;
    const { eventId, failed, from, to } = wish;
    if (eventId !== undefined) {
      queued = await replayEvent(tx, key, eventId);
      if (queued === 0) throw new AppError("NOT_FOUND", { message: "There is no such event, or it is no longer kept" });
    } else if (failed === true) queued = await replayFailed(tx, key);
    else {
      assert(from !== undefined && to !== undefined, "the schema asks for one of three");
      const period = { from: new Date(from), to: new Date(to), types: eventTypesOf(events) };
      queued = await replayPeriod(tx, key, period);
    }
    await notifyDeliverers(tx);
    return queued;
  });
}

async function getEndpoint(db: Queryable, key: Key): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, key);
  if (endpoint === undefined) throw new AppError("NOT_FOUND");
  return endpoint;
}
