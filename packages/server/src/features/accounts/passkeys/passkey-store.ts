/** All SQL about passkeys. */
import type { Queryable } from "../../../db/pool.ts";
import type { FactorOwner } from "../second-factor/second-factor-store.ts";

/** @property sessionId of the session that adds a passkey; null for a sign-in. */
export async function insertChallenge(
  db: Queryable,
  { challenge, sessionId, expiresAt }: { challenge: Buffer; sessionId: string | null; expiresAt: Date },
): Promise<void> {
  await db.query(`insert into passkey_challenge (challenge, session_id, expires_at) values ($1, $2, $3)`, [
    challenge,
    sessionId,
    expiresAt,
  ]);
}

/** Takes a challenge, whatever becomes of it: of several takers at once one gets it. @returns false when it is another's, over or taken. */
export async function takeChallenge(
  db: Queryable,
  { challenge, sessionId, now }: { challenge: Buffer; sessionId: string | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from passkey_challenge where challenge = $1 and session_id is not distinct from $2::uuid and expires_at > $3`,
    [challenge, sessionId, now],
  );
  return rowCount === 1;
}

/** @returns the number of challenges that were over. */
export async function deleteExpiredChallenges(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from passkey_challenge where expires_at <= $1`, [now]);
  return rowCount ?? 0;
}

export type Passkey = {
  passkeyId: string;
  name: string;
  isBackedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const PASSKEY_COLUMNS = `passkey_id as "passkeyId", name, is_backed_up as "isBackedUp", created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Oldest first; few enough to be read together. */
export async function selectPasskeys(db: Queryable, { kind, actorId }: FactorOwner): Promise<Passkey[]> {
  const { rows } = await db.query<Passkey>(
    `select ${PASSKEY_COLUMNS} from passkey where kind = $1 and actor_id = $2 order by passkey_id`,
    [kind, actorId],
  );
  return rows;
}

/** How the devices name a person's passkeys. */
export async function selectCredentials(
  db: Queryable,
  { kind, actorId }: FactorOwner,
): Promise<{ credentialId: Buffer; transports: string[] }[]> {
  const { rows } = await db.query<{ credentialId: Buffer; transports: string[] }>(
    `select credential_id as "credentialId", transports from passkey where kind = $1 and actor_id = $2`,
    [kind, actorId],
  );
  return rows;
}

export type NewPasskey = FactorOwner &
  Pick<Passkey, "passkeyId" | "name" | "isBackedUp" | "createdAt"> & {
    credentialId: Buffer;
    publicKey: Buffer;
    signCount: number;
    transports: readonly string[];
  };

/** @returns false when somebody has that passkey already. */
export async function insertPasskey(db: Queryable, passkey: NewPasskey): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into passkey (kind, actor_id, passkey_id, credential_id, public_key, sign_count, transports, is_backed_up, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing`,
    [
      passkey.kind,
      passkey.actorId,
      passkey.passkeyId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.signCount,
      passkey.transports,
      passkey.isBackedUp,
      passkey.name,
      passkey.createdAt,
    ],
  );
  return rowCount === 1;
}

/** @returns the name of what was removed; undefined when the person has no such passkey. */
export async function deletePasskey(
  db: Queryable,
  { kind, actorId }: FactorOwner,
  passkeyId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    `delete from passkey where kind = $1 and actor_id = $2 and passkey_id = $3 returning name`,
    [kind, actorId, passkeyId],
  );
  return rows[0]?.name;
}

/** What opens an account: whose it is, and what its signatures are checked with. */
export type PasskeyKey = FactorOwner & { passkeyId: string; name: string; publicKey: Buffer; signCount: number };

export async function findPasskey(db: Queryable, credentialId: Buffer): Promise<PasskeyKey | undefined> {
  const { rows } = await db.query<Omit<PasskeyKey, "signCount"> & { signCount: string }>(
    `select kind, actor_id as "actorId", passkey_id as "passkeyId", name, public_key as "publicKey", sign_count as "signCount"
     from passkey where credential_id = $1`,
    [credentialId],
  );
  const [row] = rows;
  return row && { ...row, signCount: Number(row.signCount) };
}

/** Notes a use. @returns false when the passkey was removed meanwhile, or was used as often before. */
export async function markPasskeyUsed(
  db: Queryable,
  { kind, actorId, passkeyId }: FactorOwner & { passkeyId: string },
  { signCount, isBackedUp, now }: { signCount: number; isBackedUp: boolean; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update passkey set sign_count = $4, is_backed_up = $5, last_used_at = $6
     where kind = $1 and actor_id = $2 and passkey_id = $3 and (sign_count < $4 or (sign_count = 0 and $4 = 0))`,
    [kind, actorId, passkeyId, signCount, isBackedUp, now],
  );
  return rowCount === 1;
}
