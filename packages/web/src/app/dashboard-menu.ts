import {
  IconAddressBook,
  IconClock,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconPencil,
  IconReceipt,
  IconReportMoney,
  IconSend,
  IconShieldCheck,
  IconShoppingCart,
  IconUserCircle,
  IconUserEdit,
  IconUserPlus,
} from "@tabler/icons-react";
import { paths } from "../lib/paths.ts";
import type { MenuPanel } from "../ui/navigation/side-menu.tsx";

/** The customer's side menu, in the specified panels and order. An entry stands here when its page exists. */
export const dashboardMenu: readonly MenuPanel[] = [
  {
    title: "Main",
    entries: [
      { label: "Basement", to: paths.dashboard, icon: IconLayoutDashboard, isExact: true },
      { label: "Whitelists", to: paths.whitelists, icon: IconShieldCheck },
    ],
  },
  {
    title: "Messages",
    entries: [
      { label: "Send SMS", to: paths.sendSms, icon: IconSend },
      { label: "SMS history", to: paths.smsHistory, icon: IconHistory },
      { label: "Drafted SMS", to: paths.draftedSms, icon: IconPencil },
      { label: "Scheduled SMS", to: paths.scheduledSms, icon: IconClock },
    ],
  },
  {
    title: "Payment",
    entries: [
      { label: "Buy SMS", to: paths.buySms, icon: IconShoppingCart },
      { label: "SMS Charges", to: paths.smsCharges, icon: IconReportMoney },
      { label: "Transactions", to: paths.transactions, icon: IconReceipt },
    ],
  },
  {
    title: "Profile",
    entries: [
      { label: "Personal Summary", to: paths.profileInfo, icon: IconUserCircle },
      { label: "Update Profile", to: paths.updateProfile, icon: IconUserEdit },
    ],
  },
  {
    title: "Contacts",
    entries: [
      { label: "Phonebook", to: paths.allContacts, icon: IconAddressBook },
      { label: "Upload / Insert Contacts", to: paths.uploadContacts, icon: IconUserPlus },
    ],
  },
];

/** Pages that the specified menu does not list; the palette finds them, and pages about the same thing link to them. */
export const morePages: MenuPanel = {
  title: "More",
  entries: [
    { label: "Statement", to: paths.statement, icon: IconReportMoney },
    { label: "API keys", to: paths.apiKeys, icon: IconKey },
  ],
};
