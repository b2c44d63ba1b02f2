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
  IconPencil,
  IconPhoneOff,
  IconReceipt,
  IconShieldCheck,
  IconSpeakerphone,
  IconUserCircle,
  IconUsers,
} from "@tabler/icons-react";
import { paths } from "../lib/paths.ts";
import type { MenuPanel } from "../ui/navigation/side-menu.tsx";

/** Only owners see the page of administrators. */
export function menuFor(role: string | undefined): readonly MenuPanel[] {
  if (role === "owner") return adminMenu;
  return adminMenu.map((panel) => ({
    ...panel,
    entries: panel.entries.filter(({ to }) => to !== paths.administrators),
  }));
}

/** The administrators' side menu, in the specified panels and order. An entry stands here when its page exists. */
const adminMenu: readonly MenuPanel[] = [
  {
    title: "Main Panel",
    entries: [{ label: "Overview", to: paths.adminDashboard, icon: IconLayoutDashboard, isExact: true }],
  },
  {
    title: "Actions Panel",
    entries: [
      { label: "Waiting", to: paths.waiting, icon: IconCircleCheck },
      { label: "Manage Users", to: paths.manageUsers, icon: IconUsers },
      { label: "Whitelists", to: paths.actionWhitelist, icon: IconShieldCheck },
      { label: "Credit User", to: paths.creditAUser, icon: IconCoins },
      { label: "Transactions", to: paths.manageAllTransactions, icon: IconReceipt },
      { label: "Drafts", to: paths.manageDrafts, icon: IconPencil },
    ],
  },
  {
    title: "Messages",
    entries: [
      { label: "All Messages", to: paths.manageSms, icon: IconMessages },
      // The same icon: another one would weigh on every page.
      { label: "Held messages", to: paths.heldMessages, icon: IconMessages },
      { label: "Inbound messages", to: paths.inboundMessages, icon: IconMessages },
    ],
  },
  {
    title: "Profile Settings",
    entries: [{ label: "Admin Summary", to: paths.adminProfile, icon: IconUserCircle }],
  },
  {
    title: "Message Panel",
    entries: [
      { label: "Announcement", to: paths.announcements, icon: IconSpeakerphone },
      { label: "Distribute API", to: paths.assignApi, icon: IconKey },
    ],
  },
  {
    title: "Service",
    entries: [
      { label: "Card payments", to: paths.cardPayments, icon: IconCreditCard },
      { label: "Rates", to: paths.adminRates, icon: IconCurrencyNaira },
      { label: "Carriers", to: paths.adminCarriers, icon: IconAntenna },
      { label: "DND list", to: paths.dndNumbers, icon: IconPhoneOff },
      { label: "Administrators", to: paths.administrators, icon: IconUsers },
      { label: "Audit log", to: paths.auditLog, icon: IconListDetails },
    ],
  },
];
