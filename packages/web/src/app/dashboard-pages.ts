import type { RouteComponent } from "@tanstack/react-router";

/**
 * Where each page of a customer lies, by the name of its component. Fetched with the first of them: the entry would
 * otherwise name all their files to every visitor of the home page, 2 kB of the 120 that it may weigh.
 */
const pages = {
  DashboardShell: () => import("./dashboard-shell.tsx"),
  BasementPage: () => import("../features/accounts/dashboard/basement-page.tsx"),
  WhitelistsPage: () => import("../features/messages/whitelists/whitelists-page.tsx"),
  SendSmsPage: () => import("../features/messages/compose/send-sms-page.tsx"),
  SmsHistoryPage: () => import("../features/messages/history/sms-history-page.tsx"),
  OneMessagePage: () => import("../features/messages/one-message/one-message-page.tsx"),
  ResendSmsPage: () => import("../features/messages/resend/resend-sms-page.tsx"),
  DraftedSmsPage: () => import("../features/messages/drafts/drafted-sms-page.tsx"),
  SendDraftPage: () => import("../features/messages/drafts/send-draft-page.tsx"),
  ScheduledSmsPage: () => import("../features/messages/scheduled/scheduled-sms-page.tsx"),
  EditScheduledPage: () => import("../features/messages/scheduled/edit-scheduled-page.tsx"),
  BuySmsPage: () => import("../features/billing/buy-sms-page.tsx"),
  SmsChargesRoute: () => import("./sms-charges-route.tsx"),
  StatementPage: () => import("../features/billing/statement/statement-page.tsx"),
  TransactionsPage: () => import("../features/billing/transactions-page.tsx"),
  PhonebookPage: () => import("../features/contacts/phonebook/phonebook-page.tsx"),
  CatalogRoute: () => import("./catalog-route.tsx"),
  UploadPage: () => import("../features/contacts/upload/upload-page.tsx"),
  ApiKeysPage: () => import("../features/accounts/profile/api-keys-page.tsx"),
  ProfilePage: () => import("../features/accounts/profile/profile-page.tsx"),
  UpdateProfilePage: () => import("../features/accounts/profile/update-profile-page.tsx"),
};

/** Each module has the component that it is listed for. */
export type DashboardPages = { [N in keyof typeof pages]: () => Promise<Record<N, RouteComponent>> };

export const dashboardPages: DashboardPages = pages;
