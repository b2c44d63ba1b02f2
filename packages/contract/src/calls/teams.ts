/** People who share a customer's account. Apart from `accounts.ts`, so that no stranger fetches it. */
import type { subAccountSchemas } from "../schemas/people/sub-accounts.ts";
import type { teamSchemas } from "../schemas/people/teams.ts";
import type { Calls } from "./call.ts";

export const teamCalls: Calls<typeof teamSchemas> = {
  members: { method: "GET", url: "/api/:userId/members", leastRole: "viewer" },
  inviteMember: { method: "POST", url: "/api/:userId/members", leastRole: "owner" },
  editMember: { method: "PATCH", url: "/api/:userId/:memberId/member", leastRole: "owner" },
  removeMember: { method: "DELETE", url: "/api/:userId/:memberId/member", leastRole: "owner" },
  approvalLimit: { method: "GET", url: "/api/:userId/approval-limit", leastRole: "viewer" },
  setApprovalLimit: { method: "PATCH", url: "/api/:userId/approval-limit", leastRole: "owner" },
  approvals: { method: "GET", url: "/api/:userId/approvals", leastRole: "viewer" },
  approveMessage: { method: "PATCH", url: "/api/:userId/:messageId/approve-message", leastRole: "approver" },
  declineMessage: { method: "PATCH", url: "/api/:userId/:messageId/decline-message", leastRole: "approver" },
  switchAccount: { method: "POST", url: "/api/:userId/switch-account", leastRole: "viewer" },
};

/** Accounts that a customer makes and gives units to. */
export const subAccountCalls: Calls<typeof subAccountSchemas> = {
  subAccounts: { method: "GET", url: "/api/:userId/sub-accounts", leastRole: "viewer" },
  makeSubAccount: { method: "POST", url: "/api/:userId/sub-accounts", leastRole: "owner" },
  editSubAccount: { method: "PATCH", url: "/api/:userId/:subId/sub-account", leastRole: "owner" },
  moveUnits: { method: "POST", url: "/api/:userId/:subId/move-units", leastRole: "owner" },
};
