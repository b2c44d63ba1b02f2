import type { Queryable } from "../../../db/pool.ts";

export type AccountAccess = { accessId: string; adminName: string; reason: string; beganAt: Date; endsAt: Date };

const COLUMNS = `access_id as "accessId", admin_name as "adminName", reason, began_at as "beganAt", ends_at as "endsAt"`;

export async function insertAccess(db: Queryable, access: AccountAccess & { userId: string }): Promise<void> {
  await db.query(
    "insert into account_access (user_id, access_id, admin_name, reason, began_at, ends_at) values ($1, $2, $3, $4, $5, $6)",
    [access.userId, access.accessId, access.adminName, access.reason, access.beganAt, access.endsAt],
  );
}

/** Newest first; ids are in order of time. */
export async function selectAccess(
  db: Queryable,
  userId: string,
  page: { limit: number; after: string | undefined },
): Promise<AccountAccess[]> {
  const { rows } = await db.query<AccountAccess>(
    `select ${COLUMNS} from account_access where user_id = $1 and ($2::uuid is null or access_id < $2) order by access_id desc limit $3`,
    [userId, page.after ?? null, page.limit],
  );
  return rows;
}

export async function findAccess(
  db: Queryable,
  key: { userId: string; accessId: string },
): Promise<AccountAccess | undefined> {
  const { rows } = await db.query<AccountAccess>(
    `select ${COLUMNS} from account_access where user_id = $1 and access_id = $2`,
    [key.userId, key.accessId],
  );
  return rows[0];
}
