import type {
  accountRoutes,
  adminMessageRoutes,
  adminUserRoutes,
  announcementRoutes,
  dailyLimitRoutes,
  draftRoutes,
  messageRoutes,
  overviewRoutes,
  RouteContract,
} from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/** What administrators see of customers, and what they do to them; without schemas, as in `admin-addresses.ts`. */
export const manageAddresses = {
  viewAllUsers: address<typeof accountRoutes.viewAllUsers>("GET", "/api/view-all-users"),
  updateUser: address<typeof adminUserRoutes.updateUser>("PATCH", "/api/:userId/update-user"),
  blockUser: address<typeof adminUserRoutes.blockUser>("PATCH", "/api/:userId/block-user"),
  unblockUser: address<typeof adminUserRoutes.unblockUser>("PATCH", "/api/:userId/unblock-user"),
  approveUser: address<typeof adminUserRoutes.approveUser>("PATCH", "/api/:userId/approve-user"),
  unapproveUser: address<typeof adminUserRoutes.unapproveUser>("PATCH", "/api/:userId/unapprove-user"),
  turnOffTwoFactor: address<typeof adminUserRoutes.turnOffTwoFactor>("PATCH", "/api/:userId/turn-off-two-factor"),
  populateSmsHistory: address<typeof messageRoutes.populateSmsHistory>("GET", "/api/:userId/populate-sms-history"),
  viewOneSms: address<typeof messageRoutes.viewOneSms>("GET", "/api/:userId/:messageId/view-one-sms"),
  viewAllSmsMessages: address<typeof messageRoutes.viewAllSmsMessages>("GET", "/api/view-all-sms-messages"),
  viewAnySms: address<typeof adminMessageRoutes.viewAnySms>("GET", "/api/:messageId/view-any-sms"),
  viewAllDrafts: address<typeof draftRoutes.viewAllDrafts>("GET", "/api/view-all-drafts"),
  viewAnyDraft: address<typeof adminMessageRoutes.viewAnyDraft>("GET", "/api/:draftId/view-any-draft"),
  makeGeneralAnnouncement: address<typeof announcementRoutes.makeGeneralAnnouncement>(
    "POST",
    "/api/:adminId/make-general-announcement",
  ),
  clearGeneralAnnouncement: address<typeof announcementRoutes.clearGeneralAnnouncement>(
    "DELETE",
    "/api/:adminId/:announcementId/clear-general-announcement",
  ),
  dailyLimits: address<typeof dailyLimitRoutes.dailyLimits>("GET", "/api/:userId/daily-limits"),
  setDailyLimit: address<typeof dailyLimitRoutes.setDailyLimit>("PATCH", "/api/:adminId/set-daily-limit"),
  setCallLimit: address<typeof dailyLimitRoutes.setCallLimit>("PATCH", "/api/:adminId/set-call-limit"),
  viewOverview: address<typeof overviewRoutes.viewOverview>("GET", "/api/view-overview"),
  viewWaiting: address<typeof overviewRoutes.viewWaiting>("GET", "/api/view-waiting"),
  viewOverviewCharts: address<typeof overviewRoutes.viewOverviewCharts>("GET", "/api/view-overview-charts"),
};
