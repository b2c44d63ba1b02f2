/** People who share a customer's account. Apart from `accounts.ts`, so that no stranger fetches it. */
import type { teamSchemas } from "../schemas/people/teams.ts";
import type { Calls } from "./call.ts";

export const teamCalls: Calls<typeof teamSchemas> = {
  members: { method: "GET", url: "/api/:userId/members", leastRole: "viewer" },
  inviteMember: { method: "POST", url: "/api/:userId/members", leastRole: "owner" },
  editMember: { method: "PATCH", url: "/api/:userId/:memberId/member", leastRole: "owner" },
  removeMember: { method: "DELETE", url: "/api/:userId/:memberId/member", leastRole: "owner" },
  switchAccount: { method: "POST", url: "/api/:userId/switch-account", leastRole: "viewer" },
};
