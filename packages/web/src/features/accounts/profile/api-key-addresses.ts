import type { apiKeyRoutes } from "@ewebal/contract";
import type { RouteAddress } from "../../../lib/api/api.ts";

/** Without schemas, see `lib/public-routes.ts`. */
export const apiKeyAddresses = {
  list: { method: "GET", url: "/api/:userId/api-keys" } as RouteAddress<typeof apiKeyRoutes.apiKeys>,
  create: { method: "POST", url: "/api/:userId/api-keys" } as RouteAddress<typeof apiKeyRoutes.createApiKey>,
  revoke: { method: "DELETE", url: "/api/:userId/:keyId/revoke-api-key" } as RouteAddress<
    typeof apiKeyRoutes.revokeApiKey
  >,
};
