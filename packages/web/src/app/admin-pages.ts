import type { RouteComponent } from "@tanstack/react-router";

/**
 * Where each page of the administrators lies, by the name of its component. Fetched with the first of them: the entry would
 * otherwise name all their files to every visitor of the home page, 2 kB of the 120 that it may weigh.
 */
const pages = {
  AdminRegisterPage: () => import("../features/admin/sign-in/admin-register-page.tsx"),
  OtpMessagePage: () => import("../features/admin/sign-in/otp-message-page.tsx"),
  OtpPage: () => import("../features/admin/sign-in/otp-page.tsx"),
  VerifyOtpPage: () => import("../features/admin/sign-in/verify-otp-page.tsx"),
  VerifyAdminPage: () => import("../features/admin/sign-in/verify-admin-page.tsx"),
  AdminLoginPage: () => import("../features/admin/sign-in/admin-login-page.tsx"),
  AdminShell: () => import("./admin-shell.tsx"),
  OverviewPage: () => import("../features/admin/overview/overview-page.tsx"),
  WaitingPage: () => import("../features/admin/waiting/waiting-page.tsx"),
  ActionWhitelistPage: () => import("../features/admin/whitelists/action-whitelist-page.tsx"),
  ManageUsersPage: () => import("../features/admin/users/manage-users-page.tsx"),
  UserDetailsPage: () => import("../features/admin/users/user-details-page.tsx"),
  UserMessagesPage: () => import("../features/admin/messages/sms-lists.tsx"),
  UserMessageDetailsPage: () => import("../features/admin/messages/sms-details.tsx"),
  ManageSmsPage: () => import("../features/admin/messages/sms-lists.tsx"),
  SmsDetailsPage: () => import("../features/admin/messages/sms-details.tsx"),
  ManageDraftsPage: () => import("../features/admin/messages/sms-lists.tsx"),
  DraftDetailsPage: () => import("../features/admin/messages/sms-details.tsx"),
  AnnouncementsPage: () => import("../features/admin/announcements/announcements-page.tsx"),
  TransactionsPage: () => import("../features/admin/deposits/deposits-page.tsx"),
  TransactionPage: () => import("../features/admin/deposits/deposit-page.tsx"),
  UserTransactionsPage: () => import("../features/admin/deposits/user-deposits-page.tsx"),
  CreditUserPage: () => import("../features/admin/credit/credit-user-page.tsx"),
  AdminProfilePage: () => import("../features/admin/team/admin-profile-page.tsx"),
  AssignApiPage: () => import("../features/admin/users/assign-api-page.tsx"),
  RatesPage: () => import("../features/admin/rates/rates-page.tsx"),
  CarriersPage: () => import("../features/admin/carriers/carriers-page.tsx"),
  HeldMessagesPage: () => import("../features/admin/messages/held-messages-page.tsx"),
  InboundMessagesPage: () => import("../features/admin/messages/inbound-messages-page.tsx"),
  DndNumbersPage: () => import("../features/admin/messages/dnd-numbers-page.tsx"),
  CardPaymentsPage: () => import("../features/admin/card-payments/card-payments-page.tsx"),
  AdministratorsPage: () => import("../features/admin/team/administrators-page.tsx"),
  AuditLogPage: () => import("../features/admin/audit/audit-log-page.tsx"),
};

/** Each module has the component that it is listed for. */
export type AdminPages = { [N in keyof typeof pages]: () => Promise<Record<N, RouteComponent>> };

export const adminPages: AdminPages = pages;
