import type { AdminAnswer, AnnouncementAnswer } from "@ewebal/contract";
import type { Admin } from "./admin-store.ts";
import type { Announcement } from "./announcements/announcement-store.ts";
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

export function presentAnnouncement(announcement: Announcement): AnnouncementAnswer {
  const { announcementId, hint, message, createdAt, version, editedAt } = announcement;
  const edited = editedAt === null ? {} : { editedAt: editedAt.toISOString() };
  return { _id: announcementId, hint, message, createdAt: createdAt.toISOString(), version, ...edited };
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
