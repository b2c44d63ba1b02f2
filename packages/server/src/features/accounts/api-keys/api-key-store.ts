import type { Queryable } from "../../../db/pool.ts";

export type ApiKey = { keyId: string; name: string; createdAt: Date; expiresAt: Date | null; lastUsedAt: Date | null };
export type OwnedApiKey = ApiKey & { userId: string; userName: string; email: string };

const KEY_COLUMNS = `k.key_id as "keyId", k.name, k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt"`;

export async function insertApiKey(
  db: Queryable,
  key: { keyId: string; userId: string; name: string; keyHash: Buffer; createdAt: Date; expiresAt: Date | null },
): Promise<void> {
  await db.query(
    `insert into api_key (key_id, user_id, name, key_hash, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
    [key.keyId, key.userId, key.name, key.keyHash, key.createdAt, key.expiresAt],
  );
}

export async function countApiKeys(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from api_key where user_id = $1`, [
    userId,
  ]);
  return rows[0]?.count ?? 0;
}

/** Newest first; `after` is the id of the last key of the page before. */
export async function selectApiKeys(
  db: Queryable,
  userId: string,
  page: { after: string | undefined; limit: number },
): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `select ${KEY_COLUMNS} from api_key k where k.user_id = $1 and ($2::uuid is null or k.key_id < $2) order by k.key_id desc limit $3`,
    [userId, page.after ?? null, page.limit],
  );
  return rows;
}

/** Everybody's, for administrators. @param page search: a part of the customer's name or e-mail, or of the key's name. */
export async function selectAllApiKeys(
  db: Queryable,
  page: { search: string | undefined; after: string | undefined; limit: number },
): Promise<OwnedApiKey[]> {
  const pattern =
    page.search === undefined || page.search === "" ? null : `%${page.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await db.query<OwnedApiKey>(
    `select ${KEY_COLUMNS}, u.user_id as "userId", u.user_name as "userName", u.email
     from api_key k join app_user u using (user_id)
     where ($1::text is null or u.user_name ilike $1 or u.email ilike $1 or k.name ilike $1) and ($2::uuid is null or k.key_id < $2)
     order by k.key_id desc limit $3`,
    [pattern, page.after ?? null, page.limit],
  );
  return rows;
}

/** @param change what is undefined stays. @returns the key as it is now, undefined when the customer has no such key. */
export async function updateApiKey(
  db: Queryable,
  key: { keyId: string; userId: string },
  change: { name: string | undefined; expiresAt: Date | null | undefined },
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKey>(
    `update api_key k set name = coalesce($3, k.name), expires_at = case when $4 then $5::timestamptz else k.expires_at end
     where k.key_id = $1 and k.user_id = $2 returning ${KEY_COLUMNS}`,
    [key.keyId, key.userId, change.name ?? null, change.expiresAt !== undefined, change.expiresAt ?? null],
  );
  return rows[0];
}

/** @returns how many keys the customer had. */
export async function deleteApiKeysOf(db: Queryable, userId: string): Promise<number> {
  const { rowCount } = await db.query(`delete from api_key where user_id = $1`, [userId]);
  return rowCount ?? 0;
}

/** @param key userId: only a key of this customer. @returns whose key it was, undefined when there is none. */
export async function deleteApiKey(
  db: Queryable,
  key: { keyId: string; userId?: string },
): Promise<{ userId: string; name: string } | undefined> {
  const { rows } = await db.query<{ userId: string; name: string }>(
    `delete from api_key where key_id = $1 and ($2::uuid is null or user_id = $2) returning user_id as "userId", name`,
    [key.keyId, key.userId ?? null],
  );
  return rows[0];
}

/** `perSecond`: calls that the customer's programs may make, null for as many as everybody's. */
export type KeyOwner = {
  keyId: string;
  userId: string;
  isBlocked: boolean;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  perSecond: number | null;
};

export async function findKeyOwner(db: Queryable, keyHash: Buffer): Promise<KeyOwner | undefined> {
  const { rows } = await db.query<KeyOwner>(
    `select k.key_id as "keyId", k.user_id as "userId", u.blocked_at is not null as "isBlocked", k.expires_at as "expiresAt",
       k.last_used_at as "lastUsedAt", u.calls_per_second as "perSecond"
     from api_key k join app_user u using (user_id) where k.key_hash = $1`,
    [keyHash],
  );
  return rows[0];
}

export async function touchApiKey(db: Queryable, keyId: string, now: Date): Promise<void> {
  await db.query(`update api_key set last_used_at = $2 where key_id = $1`, [keyId, now]);
}
