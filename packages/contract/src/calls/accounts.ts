/** Accounts, sign-in, sessions, second factors and API keys. */
import type { accountSchemas } from "../schemas/accounts.ts";
import type { twoFactorSchemas } from "../schemas/two-factor.ts";
import type { sessionSchemas } from "../schemas/sessions.ts";
import type { apiKeySchemas } from "../schemas/api-keys.ts";
import type { Calls } from "./call.ts";

export const accountCalls: Calls<typeof accountSchemas> = {
  createUser: { method: "POST", url: "/api/create-user" },
  signInUser: { method: "POST", url: "/api/sign-in-user" },
  resendVerification: { method: "POST", url: "/api/resend-verification" },
  verifyUser: { method: "GET", url: "/api/:token/verify-user" },
  resetUserPassword: { method: "PATCH", url: "/api/reset-user-password" },
  changeUserPassword: { method: "PATCH", url: "/api/:id/change-user-password" },
  signOut: { method: "POST", url: "/api/:id/sign-out" },
  loginStatusFalse: { method: "PATCH", url: "/api/:id/login-status-false" },
  viewOneUser: { method: "GET", url: "/api/:userId/view-one-user" },
  updatePersonalInfo: { method: "PATCH", url: "/api/:userId/update-personal-info" },
  viewAllUsers: { method: "GET", url: "/api/view-all-users" },
};

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
  viewApiKeys: { method: "GET", url: "/api/view-api-keys" },
  revokeUserApiKey: { method: "DELETE", url: "/api/:adminId/:keyId/revoke-user-api-key" },
};
