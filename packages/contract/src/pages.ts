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
  "/contact-us",
  "/pricings",
  "/pricing-rates",
  "/sms-api-page",
  "/user-dashboard",
  "/user-dashboard/whitelists",
  "/user-dashboard/:id/send-sms",
  "/user-dashboard/buy-sms",
  "/user-dashboard/profile-info",
  "/user-dashboard/update-tel",
  "/user-dashboard/all-contacts",
  "/user-dashboard/set-catalogs/:catalogId/:randomId",
  "/user-dashboard/upload-new-contacts",
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
  "/admin-dashboard/manage-all-users",
  "/admin-dashboard/manage-all-users/more-details-about-user/:userId",
  "/admin-dashboard/manage-all-users/user-messages/:userId",
  "/admin-dashboard/manage-all-users/user-messages/:userId/more-about-sms/:messageId",
  "/admin-dashboard/manage-all-sms",
  "/admin-dashboard/manage-all-sms/more-about-sms/:messageId",
  "/admin-dashboard/manage-all-drafts",
  "/admin-dashboard/manage-all-drafts/more-about-drafts/:draftId",
  "/admin-dashboard/make-general-announcements",
  "/admin-dashboard/admin-profile-summary",
  "/admin-dashboard/audit-log",
  "/virtual-phones",
  "/virtual-phones/:phoneNo",
] as const;

export type PagePath = (typeof pagePaths)[number];

/** What strangers look for: these are named to search engines, and their documents are whole before any script has run. */
export const publicPagePaths = [
  "/",
  "/pricings",
  "/pricing-rates",
  "/sms-api-page",
  "/contact-us",
  "/register",
  "/login",
] as const satisfies readonly PagePath[];

export type PublicPagePath = (typeof publicPagePaths)[number];
