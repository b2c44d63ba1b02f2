/**
 * Announcements on every dashboard. The audit keeps the text of edited and cleared ones. A customer dismisses a version: what is
 * edited afterwards is shown again.
 */
import assert from "node:assert/strict";
import type { ListQuery } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { announcementDismissed, announcementsChanged, publishChange } from "../../../events/index.ts";
import {
  type Announcement,
  deleteAnnouncement,
  deleteDismissals,
  insertAnnouncement,
  lockAnnouncement,
  selectAnnouncements,
  selectDismissals,
  updateAnnouncement,
  upsertDismissal,
} from "./announcement-store.ts";

type Act = { adminId: string; clientAddress: string };

/** Posts an announcement; every open dashboard shows it at once. */
export async function makeAnnouncement(
  deps: Deps,
  text: { hint: string; message: string },
  act: Act,
): Promise<Announcement> {
  const announcement = { announcementId: uuidv7(), ...text, createdAt: deps.clock.now() };
  await withTransaction(deps.db, async (tx) => {
    await insertAnnouncement(tx, { ...announcement, adminId: act.adminId });
    await deps.recordAudit(tx, {
      ...act,
      action: "make-general-announcement",
      subjectId: announcement.announcementId,
      after: text,
    });
    await publishChange(tx, announcementsChanged());
  });
  return { ...announcement, version: 1, editedAt: null };
}

/**
 * Announcements, newest first.
 *
 * @param reader userId leaves out what that customer dismissed.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listAnnouncements(
  deps: Pick<Deps, "db">,
  query: ListQuery,
  { userId }: { userId?: string | undefined } = {},
): Promise<{ rows: Announcement[]; next: string | null }> {
  assertIdCursor(query.after);
  const without = userId === undefined ? [] : await selectDismissals(deps.db, userId);
  const select = (limit: number) => selectAnnouncements(deps.db, { limit, after: query.after, without });
  return await readPage(query.limit, select, ({ announcementId }) => announcementId);
}

/**
 * Changes an announcement on every dashboard, those included that it was dismissed from. The same text again changes nothing.
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function editAnnouncement(
  deps: Deps,
  edit: { announcementId: string; hint: string; message: string },
  act: Act,
): Promise<Announcement> {
  const { announcementId, hint, message } = edit;
  return await withTransaction(deps.db, async (tx) => {
    const before = await lockAnnouncement(tx, announcementId, "update");
    if (before === undefined) throw new AppError("NOT_FOUND");
    if (before.hint === hint && before.message === message) return before;
    const edited = await updateAnnouncement(tx, { ...edit, now: deps.clock.now() });
    assert(edited !== undefined);
    await deps.recordAudit(tx, {
      ...act,
      action: "edit-general-announcement",
      subjectId: announcementId,
      before: { hint: before.hint, message: before.message },
      after: { hint, message },
    });
    await publishChange(tx, announcementsChanged());
    return edited;
  });
}

/**
 * Takes an announcement off one customer's dashboard, on every device.
 *
 * @param dismissal version is the one that the customer saw; when a later one is there by now, that one stays.
 * @throws AppError `NOT_FOUND`; `VALIDATION` for a version that there is not yet.
 */
export async function dismissAnnouncement(
  deps: Pick<Deps, "db" | "clock">,
  dismissal: { userId: string; announcementId: string; version: number },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    // Locked, so that no clearing at the same time leaves a dismissal behind.
    const announcement = await lockAnnouncement(tx, dismissal.announcementId, "share");
    if (announcement === undefined) throw new AppError("NOT_FOUND");
    if (dismissal.version > announcement.version)
      throw new AppError("VALIDATION", { fields: { version: "is no version of this announcement" } });
    await upsertDismissal(tx, { ...dismissal, now: deps.clock.now() });
    await publishChange(tx, announcementDismissed(dismissal.userId));
  });
}

/** Takes an announcement off every dashboard. @throws AppError `NOT_FOUND`, also for the second of two clears at once. */
export async function clearAnnouncement(deps: Deps, announcementId: string, act: Act): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const cleared = await deleteAnnouncement(tx, announcementId);
    if (cleared === undefined) throw new AppError("NOT_FOUND");
    await deleteDismissals(tx, announcementId);
    const { hint, message } = cleared;
    await deps.recordAudit(tx, {
      ...act,
      action: "clear-general-announcement",
      subjectId: announcementId,
      before: { hint, message },
    });
    await publishChange(tx, announcementsChanged());
  });
}
