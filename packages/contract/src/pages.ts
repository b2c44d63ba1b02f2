/**
 * The address of every page by its name, parameters as `:name`. The server answers these with the pages' documents, and
 * everything else with status 404. Links use the names (`web/lib/paths.ts`); what a page is stands in its record
 * (`web/app/public-pages.ts`, `customer-pages.ts`, `admin-sign-in-pages.ts`, `admin-pages.ts`), and the compiler misses none.
 */

/** What strangers look for: these are named to search engines, and their documents are whole before any script has run. */
export const publicPaths = {
  home: "/",
  pricing: "/pricings",
  rates: "/pricing-rates",
  smsApi: "/sms-api-page",
  contact: "/contact-us",
  register: "/register",
  login: "/login",
} as const;

/** The other pages that nobody needs to sign in for. */
export const openPaths = {
  message: "/message",
  verifyUser: "/:token/verify-user",
  resetPassword: "/reset-password",
  resetMessage: "/reset-message",
  changePassword: "/change-password",
  changePasswordByLink: "/:token/reset-user-password",
  /** The older form of the mail's link. */
  changePasswordByOldLink: "/change-password/:token",
  virtualPhones: "/virtual-phones",
  virtualPhone: "/virtual-phones/:phoneNo",
} as const;

export const customerPaths = {
  dashboard: "/user-dashboard",
  whitelists: "/user-dashboard/whitelists",
  sendSms: "/user-dashboard/:id/send-sms",
  smsHistory: "/user-dashboard/sms-history",
  oneMessage: "/user-dashboard/sms-history/:messageId",
  resendSms: "/user-dashboard/:id/resend-sms",
  draftedSms: "/user-dashboard/drafted-sms",
  sendDraft: "/user-dashboard/:id/send-draft-sms",
  scheduledSms: "/user-dashboard/scheduled-sms",
  editScheduled: "/user-dashboard/:id/edit-scheduled-sms",
  results: "/user-dashboard/results",
  codes: "/user-dashboard/codes",
  approvals: "/user-dashboard/approvals",
  inbox: "/user-dashboard/inbox",
  conversation: "/user-dashboard/inbox/:person",
  optOuts: "/user-dashboard/opt-outs",
  buySms: "/user-dashboard/buy-sms",
  smsCharges: "/user-dashboard/purchase-options",
  transactions: "/user-dashboard/transactions",
  statement: "/user-dashboard/statement",
  profileInfo: "/user-dashboard/profile-info",
  updateProfile: "/user-dashboard/update-tel",
  apiKeys: "/user-dashboard/api-keys",
  apiUsage: "/user-dashboard/api-usage",
  webhooks: "/user-dashboard/webhooks",
  team: "/user-dashboard/team",
  subAccounts: "/user-dashboard/sub-accounts",
  allContacts: "/user-dashboard/all-contacts",
  catalog: "/user-dashboard/set-catalogs/:catalogId/:randomId",
  uploadContacts: "/user-dashboard/upload-new-contacts",
} as const;

/** How somebody becomes and is known as an administrator. */
export const adminSignInPaths = {
  adminRegister: "/admin-register",
  otpMessage: "/otp-message",
  otpPage: "/otp-page",
  verifyOtp: "/:token/verify-otp",
  verifyAdmin: "/:token/verify-admin",
  adminLogin: "/admin-login-page",
} as const;

export const adminPaths = {
  adminDashboard: "/admin-dashboard",
  waiting: "/admin-dashboard/waiting",
  manageUsers: "/admin-dashboard/manage-all-users",
  userDetails: "/admin-dashboard/manage-all-users/more-details-about-user/:userId",
  userMessages: "/admin-dashboard/manage-all-users/user-messages/:userId",
  userMessage: "/admin-dashboard/manage-all-users/user-messages/:userId/more-about-sms/:messageId",
  userTransactions: "/admin-dashboard/manage-all-users/user-transactions/:userId",
  userTransaction: "/admin-dashboard/manage-all-users/user-transactions/:userId/more-detailed-transaction/:transferId",
  actionWhitelist: "/admin-dashboard/action-whitelist",
  creditAUser: "/admin-dashboard/credit-a-user",
  manageAllTransactions: "/admin-dashboard/manage-all-transactions",
  oneTransaction: "/admin-dashboard/manage-all-transactions/more-about-transaction/:transferId",
  manageDrafts: "/admin-dashboard/manage-all-drafts",
  oneDraft: "/admin-dashboard/manage-all-drafts/more-about-drafts/:draftId",
  manageSms: "/admin-dashboard/manage-all-sms",
  anyMessage: "/admin-dashboard/manage-all-sms/more-about-sms/:messageId",
  heldMessages: "/admin-dashboard/held-messages",
  reviews: "/admin-dashboard/reviews",
  inboundMessages: "/admin-dashboard/inbound-messages",
  adminProfile: "/admin-dashboard/admin-profile-summary",
  announcements: "/admin-dashboard/make-general-announcements",
  assignApi: "/admin-dashboard/admin-assign-api",
  cardPayments: "/admin-dashboard/card-payments",
  adminRates: "/admin-dashboard/rates",
  adminMargin: "/admin-dashboard/margin",
  alarms: "/admin-dashboard/alarms",
  adminCarriers: "/admin-dashboard/carriers",
  dndNumbers: "/admin-dashboard/dnd-numbers",
  contentRules: "/admin-dashboard/content-rules",
  quietHours: "/admin-dashboard/quiet-hours",
  administrators: "/admin-dashboard/administrators",
  auditLog: "/admin-dashboard/audit-log",
} as const;

export const allPaths = {
  ...publicPaths,
  ...openPaths,
  ...customerPaths,
  ...adminSignInPaths,
  ...adminPaths,
} as const;

export type PagePath = (typeof allPaths)[keyof typeof allPaths];
export type PublicPagePath = (typeof publicPaths)[keyof typeof publicPaths];

export const pagePaths: readonly PagePath[] = Object.values(allPaths);
export const publicPagePaths: readonly PublicPagePath[] = Object.values(publicPaths);
