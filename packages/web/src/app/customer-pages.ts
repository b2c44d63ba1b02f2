/**
 * The customers' pages: what each of them is, in the order of the menu. Fetched with the first of them, since the entry
 * would otherwise name all their files to every visitor of the home page (2 kB of the 120 that it may weigh).
 */
import {
  IconActivity,
  IconAddressBook,
  IconChartBar,
  IconClock,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconPencil,
  IconPhoneOff,
  IconReceipt,
  IconReportMoney,
  IconSend,
  IconShieldCheck,
  IconShoppingCart,
  IconUserCircle,
  IconUserEdit,
  IconUserPlus,
} from "@tabler/icons-react";
import type { customerPaths } from "@ewebal/contract/pages";
import type { PageRecord, PageRecords } from "./page-record.ts";

export const loadShell = async () => (await import("./dashboard-shell.tsx")).DashboardShell;

export const customerPages: PageRecords<typeof customerPaths> = {
  dashboard: {
    menu: { panel: "Main", label: "Basement", icon: IconLayoutDashboard, isExact: true },
    load: async () => (await import("./basement-route.tsx")).BasementRoute,
  },
  whitelists: {
    menu: { panel: "Main", label: "Whitelists", icon: IconShieldCheck },
    load: async () => (await import("../features/messages/whitelists/whitelists-page.tsx")).WhitelistsPage,
  },
  sendSms: {
    menu: { panel: "Messages", label: "Send SMS", icon: IconSend },
    load: async () => (await import("../features/messages/compose/send-sms-page.tsx")).SendSmsPage,
  },
  smsHistory: {
    menu: { panel: "Messages", label: "SMS history", icon: IconHistory },
    load: async () => (await import("../features/messages/history/sms-history-page.tsx")).SmsHistoryPage,
  },
  oneMessage: {
    load: async () => (await import("../features/messages/one-message/one-message-page.tsx")).OneMessagePage,
  },
  resendSms: { load: async () => (await import("../features/messages/resend/resend-sms-page.tsx")).ResendSmsPage },
  draftedSms: {
    menu: { panel: "Messages", label: "Drafted SMS", icon: IconPencil },
    load: async () => (await import("../features/messages/drafts/drafted-sms-page.tsx")).DraftedSmsPage,
  },
  sendDraft: { load: async () => (await import("../features/messages/drafts/send-draft-page.tsx")).SendDraftPage },
  scheduledSms: {
    menu: { panel: "Messages", label: "Scheduled SMS", icon: IconClock },
    load: async () => (await import("../features/messages/scheduled/scheduled-sms-page.tsx")).ScheduledSmsPage,
  },
  editScheduled: {
    load: async () => (await import("../features/messages/scheduled/edit-scheduled-page.tsx")).EditScheduledPage,
  },
  // The icons of other entries: more of them would weigh on every page.
  results: {
    menu: { panel: "Messages", label: "Results", icon: IconChartBar },
    load: async () => (await import("../features/messages/results/results-page.tsx")).ResultsPage,
  },
  codes: {
    menu: { panel: "Messages", label: "Codes", icon: IconShieldCheck },
    load: async () => (await import("../features/messages/codes/codes-page.tsx")).CodesPage,
  },
  approvals: {
    menu: { panel: "Messages", label: "Approvals", icon: IconShieldCheck },
    load: async () => (await import("../features/messages/approvals/approvals-page.tsx")).ApprovalsPage,
  },
  inbox: {
    menu: { panel: "Messages", label: "Inbox", icon: IconInbox },
    load: async () => (await import("../features/messages/inbox/inbox-page.tsx")).InboxPage,
  },
  conversation: {
    load: async () => (await import("../features/messages/inbox/conversation-page.tsx")).ConversationPage,
  },
  buySms: {
    menu: { panel: "Payment", label: "Buy SMS", icon: IconShoppingCart },
    load: async () => (await import("../features/billing/buy-sms-page.tsx")).BuySmsPage,
  },
  smsCharges: {
    menu: { panel: "Payment", label: "SMS Charges", icon: IconReportMoney },
    load: async () => (await import("./sms-charges-route.tsx")).SmsChargesRoute,
  },
  transactions: {
    menu: { panel: "Payment", label: "Transactions", icon: IconReceipt },
    load: async () => (await import("../features/billing/transactions-page.tsx")).TransactionsPage,
  },
  profileInfo: {
    menu: { panel: "Profile", label: "Personal Summary", icon: IconUserCircle },
    load: async () => (await import("../features/accounts/profile/profile-page.tsx")).ProfilePage,
  },
  updateProfile: {
    menu: { panel: "Profile", label: "Update Profile", icon: IconUserEdit },
    load: async () => (await import("../features/accounts/profile/update-profile-page.tsx")).UpdateProfilePage,
  },
  statement: {
    menu: { panel: "Profile", label: "Statement", icon: IconReportMoney },
    load: async () => (await import("../features/billing/statement/statement-page.tsx")).StatementPage,
  },
  apiKeys: {
    menu: { panel: "Profile", label: "API keys", icon: IconKey },
    load: async () => (await import("../features/accounts/profile/api-keys-page.tsx")).ApiKeysPage,
  },
  apiUsage: {
    menu: { panel: "Profile", label: "API usage", icon: IconActivity },
    load: async () => (await import("../features/accounts/profile/request-log-page.tsx")).RequestLogPage,
  },
  webhooks: {
    menu: { panel: "Profile", label: "Webhooks", icon: IconSend },
    load: async () => (await import("../features/accounts/webhooks/webhooks-page.tsx")).WebhooksPage,
  },
  team: {
    menu: { panel: "Profile", label: "Team", icon: IconUserPlus },
    load: async () => (await import("../features/accounts/team/team-page.tsx")).TeamPage,
  },
  subAccounts: {
    menu: { panel: "Profile", label: "Sub-accounts", icon: IconAddressBook },
    load: async () => (await import("../features/accounts/sub-accounts/sub-accounts-page.tsx")).SubAccountsPage,
  },
  allContacts: {
    menu: { panel: "Contacts", label: "Phonebook", icon: IconAddressBook },
    load: async () => (await import("../features/contacts/phonebook/phonebook-page.tsx")).PhonebookPage,
  },
  catalog: { load: async () => (await import("./catalog-route.tsx")).CatalogRoute },
  uploadContacts: {
    menu: { panel: "Contacts", label: "Upload / Insert Contacts", icon: IconUserPlus },
    load: async () => (await import("../features/contacts/upload/upload-page.tsx")).UploadPage,
  },
  optOuts: {
    menu: { panel: "Contacts", label: "Opt-outs", icon: IconPhoneOff },
    load: async () => (await import("../features/messages/inbox/opt-outs-page.tsx")).OptOutsPage,
  },
};

/** With the one page of the menu that belongs to strangers as well, and stands in the card of the sign-in screens. */
export const customerMenu: Readonly<Record<string, Pick<PageRecord, "menu">>> = {
  ...customerPages,
  changePassword: { menu: { panel: "Profile", label: "Change Password", icon: IconShieldCheck } },
};
