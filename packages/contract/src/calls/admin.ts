/** Administrators: their accounts, the overview, and what they see and do of customers. */
import type { adminSchemas } from "../schemas/admin/admin.ts";
import type { adminAccountSchemas } from "../schemas/admin/admin-account.ts";
import type { administratorsSchemas } from "../schemas/admin/administrators.ts";
import type { approvalSchemas } from "../schemas/admin/approvals.ts";
import type { overviewSchemas } from "../schemas/admin/overview.ts";
import type { adminUserSchemas } from "../schemas/admin/admin-users.ts";
import type { adminMessageSchemas } from "../schemas/admin/admin-messages.ts";
import type { announcementSchemas } from "../schemas/admin/announcements.ts";
import type { Calls } from "./call.ts";

export const adminCalls: Calls<typeof adminSchemas> = {
  createAdmin: { method: "POST", url: "/api/create-admin" },
  verifyOtp: { method: "POST", url: "/api/:token/verify-otp" },
  verifyAdmin: { method: "GET", url: "/api/:token/verify-admin" },
  signInAdmin: { method: "POST", url: "/api/sign-in-admin" },
  viewOneAdmin: { method: "GET", url: "/api/:adminId/view-one-admin" },
  creditAUser: { method: "PATCH", url: "/api/:adminId/credit-a-user" },
};

/** An administrator's own account, the way between the two dashboards, and the record of what administrators did. */
export const adminAccountCalls: Calls<typeof adminAccountSchemas> = {
  updateAdminProfile: { method: "PATCH", url: "/api/:adminId/update-admin-profile" },
  switchToAdmin: { method: "POST", url: "/api/:userId/switch-to-admin", leastRole: "viewer" },
  switchToUser: { method: "POST", url: "/api/:adminId/switch-to-user" },
  actFor: { method: "POST", url: "/api/:adminId/act-for" },
  viewAuditEntries: { method: "GET", url: "/api/view-audit-entries" },
  viewAuditState: { method: "GET", url: "/api/view-audit-state" },
};

export const administratorsCalls: Calls<typeof administratorsSchemas> = {
  viewAdmins: { method: "GET", url: "/api/view-admins" },
  approveAdmin: { method: "PATCH", url: "/api/:adminId/:otherId/approve-admin" },
  blockAdmin: { method: "PATCH", url: "/api/:adminId/:otherId/block-admin" },
  unblockAdmin: { method: "PATCH", url: "/api/:adminId/:otherId/unblock-admin" },
  setAdminRole: { method: "PATCH", url: "/api/:adminId/:otherId/set-admin-role" },
  removeAdmin: { method: "DELETE", url: "/api/:adminId/:otherId/remove-admin" },
  inviteAdmin: { method: "POST", url: "/api/:adminId/invite-admin" },
};

export const approvalCalls: Calls<typeof approvalSchemas> = {
  viewApprovals: { method: "GET", url: "/api/view-approvals" },
  approve: { method: "PATCH", url: "/api/:adminId/:approvalId/approve" },
  decline: { method: "PATCH", url: "/api/:adminId/:approvalId/decline" },
};

export const overviewCalls: Calls<typeof overviewSchemas> = {
  viewOverview: { method: "GET", url: "/api/view-overview" },
  viewWaiting: { method: "GET", url: "/api/view-waiting" },
  viewWaitingCounts: { method: "GET", url: "/api/view-waiting-counts" },
  viewOverviewCharts: { method: "GET", url: "/api/view-overview-charts" },
};

export const adminUserCalls: Calls<typeof adminUserSchemas> = {
  viewAllUsers: { method: "GET", url: "/api/view-all-users" },
  updateUser: { method: "PATCH", url: "/api/:userId/update-user" },
  blockUser: { method: "PATCH", url: "/api/:userId/block-user" },
  unblockUser: { method: "PATCH", url: "/api/:userId/unblock-user" },
  approveUser: { method: "PATCH", url: "/api/:userId/approve-user" },
  unapproveUser: { method: "PATCH", url: "/api/:userId/unapprove-user" },
  eraseNumber: { method: "PATCH", url: "/api/:adminId/erase-number" },
  turnOffTwoFactor: { method: "PATCH", url: "/api/:userId/turn-off-two-factor" },
  turnOffTwoFactorOfAdmin: { method: "PATCH", url: "/api/:adminId/:otherId/turn-off-two-factor" },
};

export const adminMessageCalls: Calls<typeof adminMessageSchemas> = {
  viewAnySms: { method: "GET", url: "/api/:messageId/view-any-sms" },
  viewAnyDraft: { method: "GET", url: "/api/:draftId/view-any-draft" },
};

export const announcementCalls: Calls<typeof announcementSchemas> = {
  makeGeneralAnnouncement: { method: "POST", url: "/api/:adminId/make-general-announcement" },
  viewGeneralAnnouncement: { method: "GET", url: "/api/view-general-announcement", leastRole: "viewer" },
  editGeneralAnnouncement: { method: "PATCH", url: "/api/:adminId/:announcementId/edit-general-announcement" },
  dismissAnnouncement: {
    method: "POST",
    url: "/api/:userId/:announcementId/dismiss-announcement",
    leastRole: "sender",
  },
  clearGeneralAnnouncement: { method: "DELETE", url: "/api/:adminId/:announcementId/clear-general-announcement" },
};
