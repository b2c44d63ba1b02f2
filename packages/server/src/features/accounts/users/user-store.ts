import type { Queryable } from "../../../db/pool.ts";

export type User = {
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  phoneNo: string;
  isVerified: boolean;
  isBlocked: boolean;
  isApproved: boolean;
  hasTwoFactor: boolean;
  isSignedIn: boolean;
  lastSignInAt: Date | null;
  createdAt: Date;
};

export type Credentials = {
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  passwordHash: string;
  isVerified: boolean;
  isBlocked: boolean;
  createdAt: Date;
};

export async function insertUser(
  db: Queryable,
  user: {
    userId: string;
    userName: string;
    fullName: string;
    email: string;
    phoneNo: string;
    passwordHash: string;
    createdAt: Date;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into app_user (user_id, user_name, full_name, email, phone_no, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do nothing`,
    [user.userId, user.userName, user.fullName, user.email, user.phoneNo, user.passwordHash, user.createdAt],
  );
  return rowCount === 1;
}

const CREDENTIAL_COLUMNS = `
  user_id as "userId", user_name as "userName", full_name as "fullName", email, password_hash as "passwordHash",
  verified_at is not null as "isVerified", blocked_at is not null as "isBlocked", created_at as "createdAt"`;

export async function findCredentialsByEmail(db: Queryable, email: string): Promise<Credentials | undefined> {
  const { rows } = await db.query<Credentials>(`select ${CREDENTIAL_COLUMNS} from app_user where email = $1`, [email]);
  return rows[0];
}

/** Holds the row until the transaction ends, so that a block or a new password waits, or has happened. */
export async function lockCredentials(db: Queryable, userId: string): Promise<Credentials | undefined> {
  const { rows } = await db.query<Credentials>(
    `select ${CREDENTIAL_COLUMNS} from app_user where user_id = $1 for no key update`,
    [userId],
  );
  return rows[0];
}

export async function markVerified(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(`update app_user set verified_at = coalesce(verified_at, $2) where user_id = $1`, [userId, now]);
}

export async function markSignedIn(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(`update app_user set last_sign_in_at = $2 where user_id = $1`, [userId, now]);
}

export async function updatePasswordHash(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query(`update app_user set password_hash = $2 where user_id = $1`, [userId, passwordHash]);
}

export async function updatePersonalInfo(
  db: Queryable,
  userId: string,
  info: { userName: string; fullName: string; phoneNo: string },
): Promise<void> {
  await db.query(`update app_user set user_name = $2, full_name = $3, phone_no = $4 where user_id = $1`, [
    userId,
    info.userName,
    info.fullName,
    info.phoneNo,
  ]);
}

/** What an administrator may change of a customer. */
export type PersonalFacts = { userName: string; fullName: string; email: string; phoneNo: string };

/** Holds the row until the transaction ends. */
export async function lockPersonalFacts(db: Queryable, userId: string): Promise<PersonalFacts | undefined> {
  const { rows } = await db.query<PersonalFacts>(
    `select user_name as "userName", full_name as "fullName", email, phone_no as "phoneNo"
     from app_user where user_id = $1 for no key update`,
    [userId],
  );
  return rows[0];
}

export async function updatePersonalFacts(db: Queryable, userId: string, facts: PersonalFacts): Promise<void> {
  await db.query(`update app_user set user_name = $2, full_name = $3, email = $4, phone_no = $5 where user_id = $1`, [
    userId,
    facts.userName,
    facts.fullName,
    facts.email,
    facts.phoneNo,
  ]);
}

/** @returns whether that changed anything. */
export async function updateBlocked(db: Queryable, userId: string, blockedAt: Date | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `update app_user set blocked_at = $2 where user_id = $1 and (blocked_at is null) <> ($2::timestamptz is null)`,
    [userId, blockedAt],
  );
  return rowCount === 1;
}

/** @returns whether that changed anything. */
export async function updateApproved(db: Queryable, userId: string, isApproved: boolean): Promise<boolean> {
  const { rowCount } = await db.query(`update app_user set is_approved = $2 where user_id = $1 and is_approved <> $2`, [
    userId,
    isApproved,
  ]);
  return rowCount === 1;
}

/** A session is alive at $1 when it ends after that and was acted in after $2. */
export const USER_COLUMNS = `
  u.user_id as "userId", u.user_name as "userName", u.full_name as "fullName", u.email, u.phone_no as "phoneNo",
  u.verified_at is not null as "isVerified", u.blocked_at is not null as "isBlocked", u.is_approved as "isApproved",
  u.last_sign_in_at as "lastSignInAt", u.created_at as "createdAt",
  exists (
    select from session s
    where s.actor_id = u.user_id and s.kind = 'user' and s.expires_at > $1 and s.last_active_at > $2
  ) as "isSignedIn",
  exists (
    select from second_factor f where f.kind = 'user' and f.actor_id = u.user_id and f.confirmed_at is not null
  ) as "hasTwoFactor"`;

export type SessionLimits = { now: Date; idleSince: Date };

export async function findUser(db: Queryable, userId: string, limits: SessionLimits): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select ${USER_COLUMNS} from app_user u where u.user_id = $3`, [
    limits.now,
    limits.idleSince,
    userId,
  ]);
  return rows[0];
}
