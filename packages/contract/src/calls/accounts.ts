/** Accounts and signing in: what strangers need, too. */
import type { accountSchemas } from "../schemas/accounts.ts";
import type { Calls } from "./call.ts";

export const accountCalls: Calls<typeof accountSchemas> = {
  createUser: { method: "POST", url: "/api/create-user" },
  signInUser: { method: "POST", url: "/api/sign-in-user" },
  resendVerification: { method: "POST", url: "/api/resend-verification" },
  verifyUser: { method: "GET", url: "/api/:token/verify-user" },
  resetUserPassword: { method: "PATCH", url: "/api/reset-user-password" },
  changeUserPassword: { method: "PATCH", url: "/api/:id/change-user-password", leastRole: "viewer" },
  signOut: { method: "POST", url: "/api/:id/sign-out", leastRole: "viewer" },
  loginStatusFalse: { method: "PATCH", url: "/api/:id/login-status-false", leastRole: "viewer" },
  viewOneUser: { method: "GET", url: "/api/:userId/view-one-user", leastRole: "viewer" },
  updatePersonalInfo: { method: "PATCH", url: "/api/:userId/update-personal-info", leastRole: "owner" },
};
