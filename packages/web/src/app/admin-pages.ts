import type { RouteComponent } from "@tanstack/react-router";

/**
 * Where each page of the administrators lies, by the name of its component. Fetched with the first of them: the entry would
 * otherwise name all their files to every visitor of the home page, 2 kB of the 120 that it may weigh.
 */
const pages = {
  AdminRegisterPage: () => import("../features/admin/admin-register-page.tsx"),
  OtpMessagePage: () => import("../features/admin/otp-message-page.tsx"),
  OtpPage: () => import("../features/admin/otp-page.tsx"),
  VerifyOtpPage: () => import("../features/admin/verify-otp-page.tsx"),
  VerifyAdminPage: () => import("../features/admin/verify-admin-page.tsx"),
  AdminLoginPage: () => import("../features/admin/admin-login-page.tsx"),
  AdminShell: () => import("./admin-shell.tsx"),
  OverviewPage: () => import("../features/admin/overview-page.tsx"),
  WaitingPage: () => import("../features/admin/waiting/waiting-page.tsx"),
  ActionWhitelistPage: () => import("../features/admin/action-whitelist-page.tsx"),
  ManageUsersPage: () => import("../features/admin/manage-users-page.tsx"),
  UserDetailsPage: () => import("../features/admin/user-details-page.tsx"),
  UserMessagesPage: () => import("../features/admin/sms-lists.tsx"),
  UserMessageDetailsPage: () => import("../features/admin/sms-details.tsx"),
  ManageSmsPage: () => import("../features/admin/sms-lists.tsx"),
  SmsDetailsPage: () => import("../features/admin/sms-details.tsx"),
  ManageDraftsPage: () => import("../features/admin/sms-lists.tsx"),
  DraftDetailsPage: () => import("../features/admin/sms-details.tsx"),
  AnnouncementsPage: () => import("../features/admin/announcements-page.tsx"),
  TransactionsPage: () => import("../features/admin/transactions-page.tsx"),
  TransactionPage: () => import("../features/admin/transaction-page.tsx"),
  UserTransactionsPage: () => import("../features/admin/user-transactions-page.tsx"),
  CreditUserPage: () => import("../features/admin/credit-user-page.tsx"),
  AdminProfilePage: () => import("../features/admin/admin-profile-page.tsx"),
  AssignApiPage: () => import("../features/admin/assign-api-page.tsx"),
  RatesPage: () => import("../features/admin/rates-page.tsx"),
  CarriersPage: () => import("../features/admin/carriers-page.tsx"),
  HeldMessagesPage: () => import("../features/admin/held-messages-page.tsx"),
  InboundMessagesPage: () => import("../features/admin/inbound-messages-page.tsx"),
  DndNumbersPage: () => import("../features/admin/dnd-numbers-page.tsx"),
  CardPaymentsPage: () => import("../features/admin/card-payments-page.tsx"),
  AdministratorsPage: () => import("../features/admin/administrators/administrators-page.tsx"),
  AuditLogPage: () => import("../features/admin/audit-log-page.tsx"),
};

/** Each module has the component that it is listed for. */
export type AdminPages = { [N in keyof typeof pages]: () => Promise<Record<N, RouteComponent>> };

export const adminPages: AdminPages = pages;
