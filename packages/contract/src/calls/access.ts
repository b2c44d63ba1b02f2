/** What opens an account beside its password: second factors, sessions and API keys. Apart from `accounts.ts`, so that no stranger fetches it. */
import type { apiKeySchemas } from "../schemas/api-keys.ts";
import type { sessionSchemas } from "../schemas/sessions.ts";
import type { twoFactorSchemas } from "../schemas/two-factor.ts";
import type { Calls } from "./call.ts";

/** For customers and administrators alike; the id is one's own. */
export const twoFactorCalls: Calls<typeof twoFactorSchemas> = {
  startTwoFactor: { method: "POST", url: "/api/:id/start-two-factor" },
  confirmTwoFactor: { method: "POST", url: "/api/:id/confirm-two-factor" },
  removeTwoFactor: { method: "DELETE", url: "/api/:id/two-factor" },
  twoFactor: { method: "GET", url: "/api/:id/two-factor" },
};

/** For customers and administrators alike; the id is one's own. */
export const sessionCalls: Calls<typeof sessionSchemas> = {
  sessions: { method: "GET", url: "/api/:id/sessions" },
  endSession: { method: "DELETE", url: "/api/:id/:sessionId/end-session" },
  endOtherSessions: { method: "POST", url: "/api/:id/end-other-sessions" },
};

export const apiKeyCalls: Calls<typeof apiKeySchemas> = {
  apiKeys: { method: "GET", url: "/api/:userId/api-keys" },
  createApiKey: { method: "POST", url: "/api/:userId/api-keys" },
  editApiKey: { method: "PATCH", url: "/api/:userId/:keyId/edit-api-key" },
  revokeApiKey: { method: "DELETE", url: "/api/:userId/:keyId/revoke-api-key" },
  requestLog: { method: "GET", url: "/api/:userId/request-log" },
  usage: { method: "GET", url: "/api/:userId/usage" },
  viewApiKeys: { method: "GET", url: "/api/view-api-keys" },
  revokeUserApiKey: { method: "DELETE", url: "/api/:adminId/:keyId/revoke-user-api-key" },
};
