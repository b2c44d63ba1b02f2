/** Accounts and signing in: what strangers need, too. */
import type { accountSchemas } from "../schemas/accounts.ts";
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
