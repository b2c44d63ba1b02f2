/** People who share a customer's account. Apart from `accounts.ts`, so that no stranger fetches it. */
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
