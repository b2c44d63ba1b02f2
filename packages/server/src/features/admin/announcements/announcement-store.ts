import type { Queryable } from "../../../db/pool.ts";

export type Announcement = { announcementId: string; hint: string; message: string; createdAt: Date };

const ANNOUNCEMENT_COLUMNS = `announcement_id as "announcementId", hint, message, created_at as "createdAt"`;

export async function insertAnnouncement(
  db: Queryable,
  announcement: Announcement & { adminId: string },
): Promise<void> {
  await db.query(
    `insert into announcement (announcement_id, hint, message, admin_id, created_at) values ($1, $2, $3, $4, $5)`,
    [
      announcement.announcementId,
      announcement.hint,
      announcement.message,
      announcement.adminId,
      announcement.createdAt,
    ],
  );
}

/** Newest first: the ids are in order of time. `after` is the id that the last page ended with. */
export async function selectAnnouncements(
  db: Queryable,
  page: { limit: number; after: string | undefined },
): Promise<Announcement[]> {
  const { rows } = await db.query<Announcement>(
    `select ${ANNOUNCEMENT_COLUMNS} from announcement
     where $1::uuid is null or announcement_id < $1 order by announcement_id desc limit $2`,
    [page.after ?? null, page.limit],
  );
  return rows;
}

/** @returns what was deleted; undefined when there is no such announcement, or somebody else was quicker. */
export async function deleteAnnouncement(db: Queryable, announcementId: string): Promise<Announcement | undefined> {
  const { rows } = await db.query<Announcement>(
    `delete from announcement where announcement_id = $1 returning ${ANNOUNCEMENT_COLUMNS}`,
    [announcementId],
  );
  return rows[0];
}
