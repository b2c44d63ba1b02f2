/** Announcements on every dashboard. The audit keeps the text of cleared ones. */
import type { ListQuery } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { announcementsChanged, publishChange } from "../../../events/index.ts";
import {
  type Announcement,
  deleteAnnouncement,
  insertAnnouncement,
  selectAnnouncements,
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
  return announcement;
}

/** @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAnnouncements(
  deps: Pick<Deps, "db">,
  query: ListQuery,
): Promise<{ rows: Announcement[]; next: string | null }> {
  assertIdCursor(query.after);
  const select = (limit: number) => selectAnnouncements(deps.db, { limit, after: query.after });
  return await readPage(query.limit, select, ({ announcementId }) => announcementId);
}

/** Takes an announcement off every dashboard. @throws AppError `NOT_FOUND`, also for the second of two clears at once. */
export async function clearAnnouncement(deps: Deps, announcementId: string, act: Act): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const cleared = await deleteAnnouncement(tx, announcementId);
    if (cleared === undefined) throw new AppError("NOT_FOUND");
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
