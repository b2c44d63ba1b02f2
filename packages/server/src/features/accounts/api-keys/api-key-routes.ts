/** A customer's keys for programs. */
import { apiKeyRoutes as contract, limits } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { presentApiKey, presentCall, presentMadeKey, presentUsageDay } from "../present.ts";
import { listCalls, viewUsage } from "../request-log/request-log.ts";
import { createApiKey, editApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";

const SECRET_WORDS = { api: "key", twilio: "token", smpp: "password" } as const;

export function apiKeyRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.apiKeys,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { rows, next } = await listApiKeys(deps.db, request.params.userId, request.query);
      return { data: rows.map(presentApiKey), next };
    },
  });

  app.route({
    ...contract.createApiKey,
    onRequest: [requireCustomer, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { expiresAt, ...wish } = request.body;
      const end = expiresAt === undefined ? null : new Date(expiresAt);
      const made = await createApiKey(deps, request.params.userId, { ...wish, expiresAt: end });
      const message = `Copy this ${SECRET_WORDS[made.kind]} now: it is not shown again`;
      return await reply.code(201).send({ message, data: presentMadeKey(made) });
    },
  });

  app.route({
    ...contract.requestLog,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { rows, next } = await listCalls(deps.db, request.params.userId, request.query);
      return { data: rows.map(presentCall), next };
    },
  });

  app.route({
    ...contract.usage,
    onRequest: requireCustomer,
    handler: async (request) => {
      const days = await viewUsage(deps, request.params.userId, limits.usageDays);
      return { message: "Usage", data: days.map(presentUsageDay) };
    },
  });

  app.route({
    ...contract.editApiKey,
    onRequest: [requireCustomer, requireFreshSecondFactor],
    handler: async (request) => {
      const { expiresAt, ...change } = request.body;
      const end = expiresAt === undefined || expiresAt === null ? expiresAt : new Date(expiresAt);
      const edited = await editApiKey(deps, request.params, { ...change, expiresAt: end });
      return { message: "The key is changed", data: presentApiKey(edited) };
    },
  });

  app.route({
    ...contract.revokeApiKey,
    onRequest: [requireCustomer, requireFreshSecondFactor],
    handler: async (request) => {
      await revokeApiKey(deps, request.params);
      return { message: "The key is revoked" };
    },
  });
}
