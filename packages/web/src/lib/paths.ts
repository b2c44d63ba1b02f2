/** Every address of the pages. Links are made here and nowhere else; `app/router.test.tsx` checks that each one leads to a page. */
export const paths = {
  home: "/",
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
  buySms: "/user-dashboard/buy-sms",
  profileInfo: "/user-dashboard/profile-info",
  updateProfile: "/user-dashboard/update-tel",

  adminDashboard: "/admin-dashboard",
  adminLogin: "/admin-login-page",

  /** The folder where mails are kept when no mail server is set; the server draws it. */
  mailbox: "/mailbox",
} as const;
