import type { Queryable } from "../../db/pool.ts";

type TokenKey = { purpose: string; tokenHash: Buffer; now: Date };

export async function insertToken(
  db: Queryable,
  token: { tokenHash: Buffer; purpose: string; actorId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.query(
    `insert into one_time_token (token_hash, purpose, actor_id, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
    [token.tokenHash, token.purpose, token.actorId, token.createdAt, token.expiresAt],
  );
}

export async function takeToken(db: Queryable, key: TokenKey): Promise<string | undefined> {
  const { rows } = await db.query<{ actorId: string }>(
    `update one_time_token set used_at = $3
     where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
     returning actor_id as "actorId"`,
    [key.tokenHash, key.purpose, key.now],
  );
  return rows[0]?.actorId;
}

export async function findTokenActor(db: Queryable, key: TokenKey): Promise<string | undefined> {
  const { rows } = await db.query<{ actorId: string }>(
    `select actor_id as "actorId" from one_time_token where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3`,
    [key.tokenHash, key.purpose, key.now],
  );
  return rows[0]?.actorId;
}

export async function hasUnusedToken(
  db: Queryable,
  tokens: { purpose: string; actorId: string; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (
       select 1 from one_time_token where actor_id = $1 and purpose = $2 and used_at is null and expires_at > $3
     ) as found`,
    [tokens.actorId, tokens.purpose, tokens.now],
  );
  return rows[0]?.found === true;
}

export async function deleteTokensOf(db: Queryable, tokens: { purpose: string; actorId: string }): Promise<void> {
  await db.query(`delete from one_time_token where actor_id = $1 and purpose = $2`, [tokens.actorId, tokens.purpose]);
}

/** @returns the number of tokens that were over. */
export async function deleteExpiredTokens(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from one_time_token where expires_at <= $1`, [now]);
  return rowCount ?? 0;
}
