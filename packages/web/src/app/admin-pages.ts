/**
 * The administrators' pages: what each of them is, in the order of the menu. Fetched with the first of them, as the
 * customers' are.
 */
import {
  IconAntenna,
  IconCircleCheck,
  IconCoins,
  IconCreditCard,
  IconCurrencyNaira,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconMessages,
  IconMoon,
  IconPencil,
  IconPhoneOff,
  IconReceipt,
  IconShieldCheck,
  IconSpeakerphone,
  IconUserCircle,
  IconUsers,
} from "@tabler/icons-react";
import type { adminPaths } from "@ewebal/contract/pages";
import type { PageRecords } from "./page-record.ts";

export const loadShell = async () => (await import("./admin-shell.tsx")).AdminShell;

export const adminPages: PageRecords<typeof adminPaths> = {
  adminDashboard: {
    menu: { panel: "Main Panel", label: "Overview", icon: IconLayoutDashboard, isExact: true },
    load: async () => (await import("../features/admin/overview/overview-page.tsx")).OverviewPage,
  },
  waiting: {
    menu: {
      panel: "Actions Panel",
      label: "Waiting",
      icon: IconCircleCheck,
      waiting: ["deposits", "requests", "approvals", "disputes"],
    },
    load: async () => (await import("../features/admin/waiting/waiting-page.tsx")).WaitingPage,
  },
  manageUsers: {
    menu: { panel: "Actions Panel", label: "Manage Users", icon: IconUsers },
    load: async () => (await import("../features/admin/users/manage-users-page.tsx")).ManageUsersPage,
  },
  userDetails: {
    load: async () => (await import("../features/admin/users/user-details-page.tsx")).UserDetailsPage,
  },
  userMessages: {
    load: async () => (await import("../features/admin/messages/sms-lists.tsx")).UserMessagesPage,
  },
  userMessage: {
    load: async () => (await import("../features/admin/messages/sms-details.tsx")).UserMessageDetailsPage,
  },
  userTransactions: {
    load: async () => (await import("../features/admin/deposits/user-deposits-page.tsx")).UserDepositsPage,
  },
  userTransaction: {
    load: async () => (await import("../features/admin/deposits/deposit-page.tsx")).DepositPage,
  },
  actionWhitelist: {
    menu: { panel: "Actions Panel", label: "Whitelists", icon: IconShieldCheck, waiting: ["requests"] },
    load: async () => (await import("../features/admin/whitelists/action-whitelist-page.tsx")).ActionWhitelistPage,
  },
  creditAUser: {
    menu: { panel: "Actions Panel", label: "Credit User", icon: IconCoins },
    load: async () => (await import("../features/admin/credit/credit-user-page.tsx")).CreditUserPage,
  },
  manageAllTransactions: {
    menu: { panel: "Actions Panel", label: "Transactions", icon: IconReceipt, waiting: ["deposits"] },
    load: async () => (await import("../features/admin/deposits/deposits-page.tsx")).DepositsPage,
  },
  oneTransaction: {
    load: async () => (await import("../features/admin/deposits/deposit-page.tsx")).DepositPage,
  },
  manageDrafts: {
    menu: { panel: "Actions Panel", label: "Drafts", icon: IconPencil },
    load: async () => (await import("../features/admin/messages/sms-lists.tsx")).ManageDraftsPage,
  },
  oneDraft: {
    load: async () => (await import("../features/admin/messages/sms-details.tsx")).DraftDetailsPage,
  },
  manageSms: {
    menu: { panel: "Messages", label: "All Messages", icon: IconMessages },
    load: async () => (await import("../features/admin/messages/sms-lists.tsx")).ManageSmsPage,
  },
  anyMessage: {
    load: async () => (await import("../features/admin/messages/sms-details.tsx")).SmsDetailsPage,
  },
  heldMessages: {
    // The icon of all messages: another one would weigh on every page.
    menu: { panel: "Messages", label: "Held messages", icon: IconMessages, waiting: ["held"] },
    load: async () => (await import("../features/admin/messages/held-messages-page.tsx")).HeldMessagesPage,
  },
  reviews: {
    menu: { panel: "Messages", label: "Reviews", icon: IconMessages, waiting: ["reviews"] },
    load: async () => (await import("../features/admin/reviews/reviews-page.tsx")).ReviewsPage,
  },
  inboundMessages: {
    menu: { panel: "Messages", label: "Inbound messages", icon: IconMessages },
    load: async () => (await import("../features/admin/messages/inbound-messages-page.tsx")).InboundMessagesPage,
  },
  adminProfile: {
    menu: { panel: "Profile Settings", label: "Admin Summary", icon: IconUserCircle },
    load: async () => (await import("../features/admin/team/admin-profile-page.tsx")).AdminProfilePage,
  },
  announcements: {
    menu: { panel: "Message Panel", label: "Announcement", icon: IconSpeakerphone },
    load: async () => (await import("../features/admin/announcements/announcements-page.tsx")).AnnouncementsPage,
  },
  assignApi: {
    menu: { panel: "Message Panel", label: "Distribute API", icon: IconKey },
    load: async () => (await import("../features/admin/users/assign-api-page.tsx")).AssignApiPage,
  },
  cardPayments: {
    menu: { panel: "Service", label: "Card payments", icon: IconCreditCard, waiting: ["disputes"] },
    load: async () => (await import("../features/admin/card-payments/card-payments-page.tsx")).CardPaymentsPage,
  },
  adminRates: {
    menu: { panel: "Service", label: "Rates", icon: IconCurrencyNaira },
    load: async () => (await import("../features/admin/rates/rates-page.tsx")).RatesPage,
  },
  adminMargin: {
    menu: { panel: "Service", label: "Margin", icon: IconCurrencyNaira },
    load: async () => (await import("../features/admin/margin/margin-page.tsx")).MarginPage,
  },
  alarms: {
    // The icon of carriers: another one would weigh on every page.
    menu: { panel: "Service", label: "Alarms", icon: IconAntenna, waiting: ["alarms"] },
    load: async () => (await import("../features/admin/alarms/alarms-page.tsx")).AlarmsPage,
  },
  adminCarriers: {
    menu: { panel: "Service", label: "Carriers", icon: IconAntenna },
    load: async () => (await import("../features/admin/carriers/carriers-page.tsx")).CarriersPage,
  },
  dndNumbers: {
    menu: { panel: "Service", label: "DND list", icon: IconPhoneOff },
    load: async () => (await import("../features/admin/messages/dnd-numbers-page.tsx")).DndNumbersPage,
  },
  contentRules: {
    menu: { panel: "Service", label: "Content rules", icon: IconShieldCheck },
    load: async () => (await import("../features/admin/content-rules/content-rules-page.tsx")).ContentRulesPage,
  },
  quietHours: {
    menu: { panel: "Service", label: "Quiet hours", icon: IconMoon },
    load: async () => (await import("../features/admin/quiet-hours/quiet-hours-page.tsx")).QuietHoursPage,
  },
  administrators: {
    menu: { panel: "Service", label: "Administrators", icon: IconUsers, isForOwners: true },
    load: async () => (await import("../features/admin/team/administrators-page.tsx")).AdministratorsPage,
  },
  auditLog: {
    menu: { panel: "Service", label: "Audit log", icon: IconListDetails },
    load: async () => (await import("../features/admin/audit/audit-log-page.tsx")).AuditLogPage,
  },
};
