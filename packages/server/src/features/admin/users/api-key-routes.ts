/** Distribute API: who has keys for programs, when they were last used, and the way to end one. */
import { apiKeyRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { listAllApiKeys } from "../../accounts/index.ts";
import { revokeUserApiKey } from "./revoke-user-api-key.ts";

export function apiKeyAdminRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewApiKeys,
    onRequest: requireAdmin,
    handler: async (request) => await listAllApiKeys(deps.db, request.query),
  });

  app.route({
    ...contract.revokeUserApiKey,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { adminId, keyId } = request.params;
      await revokeUserApiKey(deps, { adminId, keyId, clientAddress: request.ip });
      return { message: "The key is revoked, and a mail tells the customer" };
    },
  });
}
