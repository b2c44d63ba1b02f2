/** Every address of the pages. Links are made here and nowhere else; `app/router.test.tsx` checks that each one leads to a page. */
export const paths = {
  home: "/",
  contact: "/contact-us",
  pricing: "/pricings",
  rates: "/pricing-rates",
  smsApi: "/sms-api-page",
  register: "/register",
  login: "/login",
  message: "/message",
  resetPassword: "/reset-password",
  resetMessage: "/reset-message",
  changePassword: "/change-password",

  dashboard: "/user-dashboard",
  whitelists: "/user-dashboard/whitelists",
  sendSms: "/user-dashboard/ewebal/send-sms",
  smsHistory: "/user-dashboard/sms-history",
  draftedSms: "/user-dashboard/drafted-sms",
  scheduledSms: "/user-dashboard/scheduled-sms",
  buySms: "/user-dashboard/buy-sms",
  smsCharges: "/user-dashboard/purchase-options",
  statement: "/user-dashboard/statement",
  transactions: "/user-dashboard/transactions",
  allContacts: "/user-dashboard/all-contacts",
  uploadContacts: "/user-dashboard/upload-new-contacts",
  apiKeys: "/user-dashboard/api-keys",
  profileInfo: "/user-dashboard/profile-info",
  updateProfile: "/user-dashboard/update-tel",

  adminRegister: "/admin-register",
  adminLogin: "/admin-login-page",
  otpMessage: "/otp-message",
  otpPage: "/otp-page",
  adminDashboard: "/admin-dashboard",
  actionWhitelist: "/admin-dashboard/action-whitelist",
  creditAUser: "/admin-dashboard/credit-a-user",
  manageAllTransactions: "/admin-dashboard/manage-all-transactions",
  manageUsers: "/admin-dashboard/manage-all-users",
  manageDrafts: "/admin-dashboard/manage-all-drafts",
  manageSms: "/admin-dashboard/manage-all-sms",
  announcements: "/admin-dashboard/make-general-announcements",
  adminProfile: "/admin-dashboard/admin-profile-summary",
  cardPayments: "/admin-dashboard/card-payments",
  assignApi: "/admin-dashboard/admin-assign-api",
  adminRates: "/admin-dashboard/rates",
  adminCarriers: "/admin-dashboard/carriers",
  dndNumbers: "/admin-dashboard/dnd-numbers",
  auditLog: "/admin-dashboard/audit-log",

  /** What the built-in simulator carried. */
  virtualPhones: "/virtual-phones",

  /** The API reference; the server draws it. */
  apiReference: "/docs",

  /** The folder where mails are kept when no mail server is set; the server draws it. */
  mailbox: "/mailbox",
} as const;
