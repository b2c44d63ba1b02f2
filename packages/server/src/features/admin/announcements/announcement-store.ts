import type { Queryable } from "../../../db/pool.ts";

export type Announcement = {
  announcementId: string;
  hint: string;
  message: string;
  createdAt: Date;
  /** 1, and one more with each edit. */
  version: number;
  editedAt: Date | null;
};

const ANNOUNCEMENT_COLUMNS = `announcement_id as "announcementId", hint, message, created_at as "createdAt", version, edited_at as "editedAt"`;

export async function insertAnnouncement(
  db: Queryable,
  announcement: Pick<Announcement, "announcementId" | "hint" | "message" | "createdAt"> & { adminId: string },
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

export type Dismissal = { announcementId: string; version: number };

/**
 * Newest first: the ids are in order of time.
 *
 * @param page after is the id that the last page ended with; without leaves out what was dismissed in its present version.
 */
export async function selectAnnouncements(
  db: Queryable,
  page: { limit: number; after: string | undefined; without: readonly Dismissal[] },
): Promise<Announcement[]> {
  const { rows } = await db.query<Announcement>(
    `select ${ANNOUNCEMENT_COLUMNS} from announcement
     where ($1::uuid is null or announcement_id < $1) and not exists (
       select from unnest($3::uuid[], $4::integer[]) as dismissed (announcement_id, version)
       where dismissed.announcement_id = announcement.announcement_id and dismissed.version = announcement.version
     )
     order by announcement_id desc limit $2`,
    [
      page.after ?? null,
      page.limit,
      page.without.map(({ announcementId }) => announcementId),
      page.without.map(({ version }) => version),
    ],
  );
  return rows;
}

/** What a customer dismissed: at most one row for each announcement that there is. */
export async function selectDismissals(db: Queryable, userId: string): Promise<Dismissal[]> {
  const { rows } = await db.query<Dismissal>(
    `select announcement_id as "announcementId", version from announcement_dismissal where user_id = $1`,
    [userId],
  );
  return rows;
}

/** Of two versions the later stays dismissed. */
export async function upsertDismissal(
  tx: Queryable,
  { userId, announcementId, version, now }: Dismissal & { userId: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into announcement_dismissal (user_id, announcement_id, version, dismissed_at) values ($1, $2, $3, $4)
     on conflict (user_id, announcement_id) do update
       set version = greatest(announcement_dismissal.version, excluded.version), dismissed_at = excluded.dismissed_at`,
    [userId, announcementId, version, now],
  );
}

/**
 * Keeps others from editing or clearing an announcement until the transaction ends.
 *
 * @param strength with `share` many customers dismiss it at the same time.
 */
export async function lockAnnouncement(
  tx: Queryable,
  announcementId: string,
  strength: "share" | "update",
): Promise<Announcement | undefined> {
  const { rows } = await tx.query<Announcement>(
    `select ${ANNOUNCEMENT_COLUMNS} from announcement where announcement_id = $1 for ${strength}`,
    [announcementId],
  );
  return rows[0];
}

/** The locked announcement gets this text, and with it its next version. */
export async function updateAnnouncement(
  tx: Queryable,
  { announcementId, hint, message, now }: { announcementId: string; hint: string; message: string; now: Date },
): Promise<Announcement | undefined> {
  const { rows } = await tx.query<Announcement>(
    `update announcement set hint = $2, message = $3, version = version + 1, edited_at = $4
     where announcement_id = $1 returning ${ANNOUNCEMENT_COLUMNS}`,
    [announcementId, hint, message, now],
  );
  return rows[0];
}

/** @returns what was deleted; undefined when there is no such announcement, or somebody else was quicker. */
export async function deleteAnnouncement(db: Queryable, announcementId: string): Promise<Announcement | undefined> {
  const { rows } = await db.query<Announcement>(
    `delete from announcement where announcement_id = $1 returning ${ANNOUNCEMENT_COLUMNS}`,
    [announcementId],
  );
  return rows[0];
}

/** Dismissals of an announcement that is gone. */
export async function deleteDismissals(tx: Queryable, announcementId: string): Promise<void> {
  await tx.query("delete from announcement_dismissal where announcement_id = $1", [announcementId]);
}
