import type { AdminAnswer, AnnouncementAnswer } from "@ewebal/contract";
import type { Admin } from "./admin-store.ts";
import type { Announcement } from "./announcements/announcement-store.ts";
import type { CreditOutcome } from "./credit/credit-user.ts";
import type { UserFlag, UserUpdate } from "./users/manage-users.ts";

export function presentAdmin(admin: Admin): AdminAnswer {
  return {
    _id: admin.adminId,
    adminName: admin.adminName,
    adminFullName: admin.adminFullName,
    email: admin.email,
    contact: admin.contact,
    role: admin.role,
    createdAt: admin.createdAt.toISOString(),
    updatedAt: admin.updatedAt.toISOString(),
  };
}

type CreditedAnswer = { message: string; data: { units: number } };
type WaitingAnswer = { message: string; data: { _id: string } };

export function presentCredit(
  outcome: CreditOutcome,
): { status: 200; body: CreditedAnswer } | { status: 202; body: WaitingAnswer } {
  if (outcome.kind === "credited")
    return { status: 200, body: { message: outcome.message, data: { units: outcome.availableUnits } } };
  const message = "This credit waits for a second administrator";
  return { status: 202, body: { message, data: { _id: outcome.approvalId } } };
}

export function presentAnnouncement({ announcementId, hint, message, createdAt }: Announcement): AnnouncementAnswer {
  return { _id: announcementId, hint, message, createdAt: createdAt.toISOString() };
}

const flagWords: Record<UserFlag, string> = {
  "block-user": "blocked",
  "unblock-user": "unblocked",
  "approve-user": "approved",
  "unapprove-user": "not approved any more",
};

export function presentFlag(flag: UserFlag, change: { userName: string; isChanged: boolean }): { message: string } {
  const { userName, isChanged } = change;
  const words = flagWords[flag];
  return { message: isChanged ? `${userName} is ${words}` : `Nothing to do: ${userName} is ${words} already` };
}

export function presentUpdate({ userName, waiting }: UserUpdate) {
  if (waiting === undefined) return { status: 200 as const, body: { message: `${userName} is updated` } };
  const message = `${userName} is updated. Waiting for a second administrator: ${waiting.names.join(", ")}`;
  return { status: 202 as const, body: { message, data: { _id: waiting.approvalId } } };
}
