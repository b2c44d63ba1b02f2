/** Endpoints of customers' programs: for the page, and with a key of the scope `webhooks`. Both call the same operations. */
import {
  programWebhookRoutes,
  webhookRoutes as contract,
  type WebhookAnswer,
  type WebhookAttemptAnswer,
} from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { takeEmptyJson } from "../../http/bounds/json-bytes.ts";
import { requireCustomer, requireFreshSecondFactor } from "../../http/session/session.ts";
import { eventTypesOf } from "../../outbox/index.ts";
import { programOf, requireKey } from "../messages/index.ts";
import {
  deleteWebhook,
  editWebhook,
  listAttempts,
  listWebhooks,
  makeWebhook,
  replay,
  rotateSecret,
  type Attempt,
  type Endpoint,
} from "./manage-webhooks.ts";

const MADE = "Copy this secret now: it is not shown again";
const CHANGED = "The webhook is changed";
const DELETED = "Deleted Successfully";
const ROTATED = "Copy this secret now: it is not shown again. The one before is valid for 24 hours more";
const QUEUED = "On the way";

export async function webhookRoutes(app: App, deps: Deps): Promise<void> {
  customerRoutes(app, deps);
  await app.register(async (scope: App) => {
    requireKey(scope, deps);
    takeEmptyJson(scope);
    programRoutes(scope, deps);
  });
}

function customerRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  const isFresh = [requireCustomer, requireFreshSecondFactor];
  app.route({
    ...contract.webhooks,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => presentList(await listWebhooks(db, params.userId, query), presentWebhook),
  });
  app.route({
    ...contract.makeWebhook,
    onRequest: isFresh,
    handler: async ({ params, body }, reply) => {
      const { endpoint, secret } = await makeWebhook(deps, params.userId, body);
      return await reply.code(201).send({ message: MADE, data: { ...presentWebhook(endpoint), secret } });
    },
  });
  app.route({
    ...contract.editWebhook,
    onRequest: isFresh,
    handler: async ({ params, body }) => ({
      message: CHANGED,
      data: presentWebhook(await editWebhook(deps, keyOf(params), body)),
    }),
  });
  app.route({
    ...contract.deleteWebhook,
    onRequest: isFresh,
    handler: async ({ params }) => {
      await deleteWebhook(deps, keyOf(params));
      return { message: DELETED };
    },
  });
  app.route({
    ...contract.rotateWebhookSecret,
    onRequest: isFresh,
    handler: async ({ params }) => ({ message: ROTATED, data: { secret: await rotateSecret(deps, keyOf(params)) } }),
  });
  app.route({
    ...contract.webhookAttempts,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => presentList(await listAttempts(db, keyOf(params), query), presentAttempt),
  });
  app.route({
    ...contract.replayWebhook,
    onRequest: requireCustomer,
    handler: async ({ params, body }, reply) => {
      const queued = await replay(deps, keyOf(params), body);
      return await reply.code(202).send({ message: QUEUED, data: { queued } });
    },
  });
}

function programRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  const config = { scope: "webhooks" } as const;
  app.route({
    ...programWebhookRoutes.listWebhooks,
    config,
    handler: async (request) =>
      presentList(await listWebhooks(db, programOf(request).userId, request.query), presentWebhook),
  });
  app.route({
    ...programWebhookRoutes.makeWebhook,
    config,
    handler: async (request, reply) => {
      const { endpoint, secret } = await makeWebhook(deps, programOf(request).userId, request.body);
      return await reply.code(201).send({ message: MADE, data: { ...presentWebhook(endpoint), secret } });
    },
  });
  app.route({
    ...programWebhookRoutes.editWebhook,
    config,
    handler: async (request) => {
      const key = keyOf({ ...request.params, ...programOf(request) });
      return { message: CHANGED, data: presentWebhook(await editWebhook(deps, key, request.body)) };
    },
  });
  app.route({
    ...programWebhookRoutes.deleteWebhook,
    config,
    handler: async (request) => {
      await deleteWebhook(deps, keyOf({ ...request.params, ...programOf(request) }));
      return { message: DELETED };
    },
  });
  app.route({
    ...programWebhookRoutes.rotateWebhookSecret,
    config,
    handler: async (request) => {
      const secret = await rotateSecret(deps, keyOf({ ...request.params, ...programOf(request) }));
      return { message: ROTATED, data: { secret } };
    },
  });
  app.route({
    ...programWebhookRoutes.webhookAttempts,
    config,
    handler: async (request) => {
      const key = keyOf({ ...request.params, ...programOf(request) });
      return presentList(await listAttempts(db, key, request.query), presentAttempt);
    },
  });
  app.route({
    ...programWebhookRoutes.replayWebhook,
    config,
    handler: async (request, reply) => {
      const queued = await replay(deps, keyOf({ ...request.params, ...programOf(request) }), request.body);
      return await reply.code(202).send({ message: QUEUED, data: { queued } });
    },
  });
}

function keyOf({ userId, webhookId }: { userId: string; webhookId: string }): { userId: string; endpointId: string } {
  return { userId, endpointId: webhookId };
}

function presentList<Row, Answer>(
  { rows, next }: { rows: Row[]; next: string | null },
  present: (row: Row) => Answer,
): { data: Answer[]; next: string | null } {
  return { data: rows.map(present), next };
}

function presentWebhook({ endpointId: _id, url, events, isOn, offReason, createdAt }: Endpoint): WebhookAnswer {
  return {
    _id,
    url,
    events: eventTypesOf(events),
    state: isOn ? "on" : "off",
    ...(offReason !== null && { offReason }),
    createdAt: createdAt.toISOString(),
  };
}

function presentAttempt(attempt: Attempt): WebhookAttemptAnswer {
  const { attemptId: _id, eventId, type, attemptedAt, status, durationMs: ms, answer, isDelivered } = attempt;
  return {
    _id,
    eventId,
    type: type as WebhookAttemptAnswer["type"],
    at: attemptedAt.toISOString(),
    status,
    ms,
    answer,
    state: isDelivered ? "delivered" : "failed",
  };
}
