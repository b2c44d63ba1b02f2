import type { ProgramKeyKind, ProgramKeyMode, ProgramKeyScope } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";

/** What a key is, without its secret. */
export type ApiKey = {
  keyId: string;
  name: string;
  kind: ProgramKeyKind;
  mode: ProgramKeyMode;
  scopes: ProgramKeyScope[];
  /** Empty: it works from anywhere. */
  addresses: string[];
  /** Twilio's account sid or SMPP's system id; null for a key of kind `api`. */
  publicName: string | null;
  /** Of SMPP keys alone. */
  binds: number | null;
  perSecond: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedFrom: string | null;
};
export type OwnedApiKey = ApiKey & { userId: string; userName: string; email: string };

const KEY_COLUMNS = `k.key_id as "keyId", k.name, k.kind, k.mode, k.scopes, k.addresses, k.public_name as "publicName", k.binds,
  k.per_second as "perSecond", k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
  k.last_used_from as "lastUsedFrom"`;

/** How a key's secret is kept: `keyHash` is undefined for SMPP, `sealed` for the API. */
export type KeptSecret = { keyHash: Buffer | undefined; sealed: Buffer | undefined };

export async function insertApiKey(
  db: Queryable,
  { userId, secret, ...key }: ApiKey & { userId: string; secret: KeptSecret },
): Promise<void> {
  await db.query(
    `insert into api_key (key_id, user_id, name, kind, mode, scopes, addresses, public_name, binds, per_second, created_at, expires_at,
       key_hash, sealed_secret)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      key.keyId,
      userId,
      key.name,
      key.kind,
      key.mode,
      key.scopes,
      key.addresses,
      key.publicName,
      key.binds,
      key.perSecond,
      key.createdAt,
      key.expiresAt,
      secret.keyHash ?? null,
      secret.sealed ?? null,
    ],
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

/** What is undefined stays as it is. */
export type KeyChange = {
  name?: string | undefined;
  scopes?: readonly ProgramKeyScope[] | undefined;
  addresses?: readonly string[] | undefined;
  expiresAt?: Date | null | undefined;
};

/** @returns the key as it is now, undefined when the customer has no such key. */
export async function updateApiKey(
  db: Queryable,
  key: { keyId: string; userId: string },
  change: KeyChange,
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKey>(
    `update api_key k set name = coalesce($3, k.name), expires_at = case when $4 then $5::timestamptz else k.expires_at end,
       scopes = coalesce($6, k.scopes), addresses = coalesce($7, k.addresses)
     where k.key_id = $1 and k.user_id = $2 returning ${KEY_COLUMNS}`,
    [
      key.keyId,
      key.userId,
      change.name ?? null,
      change.expiresAt !== undefined,
      change.expiresAt ?? null,
      change.scopes ?? null,
      change.addresses ?? null,
    ],
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

/** A key that came with a call, and what it may do. */
export type ProgramKey = Pick<
  ApiKey,
  "keyId" | "kind" | "mode" | "scopes" | "addresses" | "publicName" | "binds" | "expiresAt" | "lastUsedAt"
> & {
  userId: string;
  /** Calls, or an SMPP key's messages, in a second: the key's own number, else its customer's; null: as everybody. */
  perSecond: number | null;
  /** Whether its customer is blocked. */
  isBlocked: boolean;
};

const PROGRAM_COLUMNS = `k.key_id as "keyId", k.user_id as "userId", k.kind, k.mode, k.scopes, k.addresses, k.public_name as "publicName",
  k.binds, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", coalesce(k.per_second, u.calls_per_second) as "perSecond",
  u.blocked_at is not null as "isBlocked"`;

/** A key of kind `api` by the hash of the whole key. */
export async function findKeyByHash(db: Queryable, keyHash: Buffer): Promise<ProgramKey | undefined> {
  const { rows } = await db.query<ProgramKey>({
    name: "key-by-hash",
    text: `select ${PROGRAM_COLUMNS} from api_key k join app_user u using (user_id) where k.key_hash = $1 and k.kind = 'api'`,
    values: [keyHash],
  });
  return rows[0];
}

/** A key of kind `twilio` or `smpp` with its kept secret. */
export async function findKeyByName(
  db: Queryable,
  kind: ProgramKeyKind,
  publicName: string,
): Promise<{ program: ProgramKey; secret: KeptSecret } | undefined> {
  const { rows } = await db.query<ProgramKey & { keyHash: Buffer | null; sealed: Buffer | null }>({
    name: "key-by-name",
    text: `select ${PROGRAM_COLUMNS}, k.key_hash as "keyHash", k.sealed_secret as sealed
     from api_key k join app_user u using (user_id) where k.public_name = $1 and k.kind = $2`,
    values: [publicName, kind],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { keyHash, sealed, ...program } = row;
  return { program, secret: { keyHash: keyHash ?? undefined, sealed: sealed ?? undefined } };
}

/** Keys of any kind by their ids, in any order; unknown ids are left out. */
export async function selectKeysById(db: Queryable, keyIds: readonly string[]): Promise<ProgramKey[]> {
  const { rows } = await db.query<ProgramKey>(
    `select ${PROGRAM_COLUMNS} from api_key k join app_user u using (user_id) where k.key_id = any ($1::uuid[])`,
    [keyIds],
  );
  return rows;
}

export async function selectKeyIds(
  db: Queryable,
  { userId, kind, scope }: { userId: string; kind: ProgramKeyKind; scope: ProgramKeyScope },
): Promise<string[]> {
  const { rows } = await db.query<{ keyId: string }>(
    `select key_id as "keyId" from api_key
     where user_id = $1 and kind = $2 and mode = 'live' and $3 = any (scopes) and (expires_at is null or expires_at > now())`,
    [userId, kind, scope],
  );
  return rows.map(({ keyId }) => keyId);
}

export async function findSealedSecret(db: Queryable, keyId: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ sealed: Buffer | null }>(
    `select sealed_secret as sealed from api_key where key_id = $1`,
    [keyId],
  );
  return rows[0]?.sealed ?? undefined;
}

/** Notes a use. A call that finds another one noting the same does not wait for it. */
export async function touchApiKey(
  db: Queryable,
  use: { keyId: string; lastUsedAt: Date | null; now: Date; clientAddress: string | undefined },
): Promise<void> {
  await db.query(
    `update api_key set last_used_at = $3, last_used_from = $4 where key_id = (
       select key_id from api_key where key_id = $1 and last_used_at is not distinct from $2 for no key update skip locked)`,
    [use.keyId, use.lastUsedAt, use.now, use.clientAddress ?? null],
  );
}
