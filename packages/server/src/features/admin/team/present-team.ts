/** What owners read about administrators and about what they did to one. */
import type { ListedAdminAnswer } from "@ewebal/contract";
import { describeRoleChange, type RoleOutcome } from "./change-role.ts";
import type { ActOutcome } from "./manage-administrators.ts";
import type { AdminListRow } from "./team-store.ts";

export function presentListedAdmin({
  adminId,
  isApproved,
  isBlocked,
  lastSignInAt,
  createdAt,
  ...row
}: AdminListRow): ListedAdminAnswer {
  const state = isBlocked ? "blocked" : isApproved ? "active" : "waiting";
  return {
    _id: adminId,
    ...row,
    state,
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** How an administrator is after each act, and what is said when they were so before. */
const actWords = {
  approve: { done: "is an administrator now. A mail was sent", before: "is an administrator already" },
  block: { done: "is blocked", before: "is blocked already" },
  unblock: { done: "is unblocked", before: "is not blocked" },
  remove: { done: "is removed", before: "is removed already" },
} as const;

export function presentAct(act: keyof typeof actWords, { adminName, isChanged }: ActOutcome): { message: string } {
  return { message: `${adminName} ${actWords[act][isChanged ? "done" : "before"]}` };
}

export function presentRoleOutcome(outcome: RoleOutcome) {
  return outcome.kind === "waiting"
    ? {
        status: 202 as const,
        body: { message: "This role waits for another owner", data: { _id: outcome.approvalId } },
      }
    : { status: 200 as const, body: { message: describeRoleChange(outcome) } };
}
