/** What opens an account beside its password: second factors, sessions and API keys. Apart from `accounts.ts`, so that no stranger fetches it. */
import type { apiKeySchemas } from "../schemas/api-keys.ts";
import type { sessionSchemas } from "../schemas/people/sessions.ts";
import type { twoFactorSchemas } from "../schemas/people/two-factor.ts";
import type { Calls } from "./call.ts";

/** For customers and administrators alike; the id is one's own. */
export const twoFactorCalls: Calls<typeof twoFactorSchemas> = {
  startTwoFactor: { method: "POST", url: "/api/:id/start-two-factor", leastRole: "viewer" },
  confirmTwoFactor: { method: "POST", url: "/api/:id/confirm-two-factor", leastRole: "viewer" },
  removeTwoFactor: { method: "DELETE", url: "/api/:id/two-factor", leastRole: "viewer" },
  twoFactor: { method: "GET", url: "/api/:id/two-factor", leastRole: "viewer" },
};

/** For customers and administrators alike; the id is one's own. */
export const sessionCalls: Calls<typeof sessionSchemas> = {
  accountAccess: { method: "GET", url: "/api/:userId/account-access", leastRole: "viewer" },
  sessions: { method: "GET", url: "/api/:id/sessions", leastRole: "viewer" },
  endSession: { method: "DELETE", url: "/api/:id/:sessionId/end-session", leastRole: "viewer" },
  endOtherSessions: { method: "POST", url: "/api/:id/end-other-sessions", leastRole: "viewer" },
};

export const apiKeyCalls: Calls<typeof apiKeySchemas> = {
  apiKeys: { method: "GET", url: "/api/:userId/api-keys", leastRole: "viewer" },
  createApiKey: { method: "POST", url: "/api/:userId/api-keys", leastRole: "owner" },
  editApiKey: { method: "PATCH", url: "/api/:userId/:keyId/edit-api-key", leastRole: "owner" },
  revokeApiKey: { method: "DELETE", url: "/api/:userId/:keyId/revoke-api-key", leastRole: "owner" },
  requestLog: { method: "GET", url: "/api/:userId/request-log", leastRole: "viewer" },
  usage: { method: "GET", url: "/api/:userId/usage", leastRole: "viewer" },
  viewApiKeys: { method: "GET", url: "/api/view-api-keys" },
  revokeUserApiKey: { method: "DELETE", url: "/api/:adminId/:keyId/revoke-user-api-key" },
};
