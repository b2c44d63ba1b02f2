/**
 * All SQL about stored files. A row says whose the bytes are and whether anything needs them; the file store has the
 * bytes.
 */
import type { Queryable } from "../db/pool.ts";

/** In place of a file's own: its bytes were removed with everything of its customer, and a row that names it stays. */
export const ERASED_CONTENT_TYPE = "erased";

export type StoredFile = { userId: string; fileId: string; extension: string; contentType: string; byteCount: number };

export async function insertFile(db: Queryable, file: StoredFile, createdAt: Date): Promise<void> {
  await db.query(
    `insert into stored_file (user_id, file_id, extension, content_type, byte_count, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [file.userId, file.fileId, file.extension, file.contentType, file.byteCount, createdAt],
  );
}

/** @returns false when the file is being removed, or gone. */
export async function markKept(tx: Queryable, file: { userId: string; fileId: string }, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update stored_file set kept_at = $3 where user_id = $1 and file_id = $2 and kept_at is null and removing_at is null`,
    [file.userId, file.fileId, now],
  );
  return rowCount === 1;
}

/**
 * Marks files as being removed, so that nothing can need them any more.
 *
 * @returns them, and those that an earlier run left.
 */
export async function markOrphans(
  db: Queryable,
  times: { now: Date; madeBefore: Date },
  limit: number,
): Promise<StoredFile[]> {
  const { rows: found } = await db.query<{ userId: string; fileId: string }>(
    `select user_id as "userId", file_id as "fileId" from stored_file where kept_at is null and created_at < $1
     order by created_at limit $2`,
    [times.madeBefore, limit],
  );
  // Whatever was kept meanwhile stays: the row says so when its turn comes.
  const { rows } = await db.query<StoredFile>(
    `update stored_file own set removing_at = coalesce(removing_at, $1)
     from unnest($2::uuid[], $3::uuid[]) as found (user_id, file_id)
     where own.user_id = found.user_id and own.file_id = found.file_id and own.kept_at is null
     returning own.user_id as "userId", own.file_id as "fileId", extension, content_type as "contentType", byte_count as "byteCount"`,
    [times.now, found.map(({ userId }) => userId), found.map(({ fileId }) => fileId)],
  );
  return rows;
}

export async function deleteFileRow(db: Queryable, file: { userId: string; fileId: string }): Promise<void> {
  await db.query(`delete from stored_file where user_id = $1 and file_id = $2 and removing_at is not null`, [
    file.userId,
    file.fileId,
  ]);
}
