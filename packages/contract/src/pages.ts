/**
 * The address of every page, parameters as `:name`. The server answers these with the pages' document and everything
 * else with the same document and status 404; a test holds the browser's router to this list.
 */
export const pagePaths = [
  "/",
  "/register",
  "/login",
  "/message",
  "/reset-password",
  "/reset-message",
  "/change-password",
  "/change-password/:token",
  "/:token/reset-user-password",
  "/:token/verify-user",
  "/user-dashboard",
  "/user-dashboard/whitelists",
  "/user-dashboard/:id/send-sms",
  "/user-dashboard/buy-sms",
  "/user-dashboard/profile-info",
  "/user-dashboard/update-tel",
  "/user-dashboard/sms-history",
  "/user-dashboard/sms-history/:messageId",
  "/user-dashboard/:id/resend-sms",
  "/user-dashboard/drafted-sms",
  "/user-dashboard/:id/send-draft-sms",
  "/user-dashboard/scheduled-sms",
  "/user-dashboard/:id/edit-scheduled-sms",
  "/admin-register",
  "/admin-login-page",
  "/otp-message",
  "/otp-page",
  "/:token/verify-otp",
  "/:token/verify-admin",
  "/admin-dashboard",
  "/admin-dashboard/action-whitelist",
  "/admin-dashboard/credit-a-user",
  "/admin-dashboard/admin-profile-summary",
  "/admin-dashboard/audit-log",
  "/virtual-phones",
  "/virtual-phones/:phoneNo",
] as const;

export type PagePath = (typeof pagePaths)[number];
