/** All SQL about codes that programs send and check. */
import { ADVISORY_LOCK_CLASS } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";

export type VerificationKey = { userId: string; verificationId: string };
export type VerificationMode = "live" | "test";

export type Verification = VerificationKey & {
  mode: VerificationMode;
  phoneNo: number;
  state: "pending" | "verified" | "ended";
  triesLeft: number;
  createdAt: Date;
  expiresAt: Date;
};

const COLUMNS = `user_id as "userId", verification_id as "verificationId", mode, phone_no as "phoneNo", state, tries_left as "triesLeft",
  created_at as "createdAt", expires_at as "expiresAt"`;

/** Numbers that differ in the last two digits alone are one neighbourhood. The parameters are the customer and the number. */
const NEIGHBOURS = "phone_no / 100 = $2::bigint / 100";

/** Lets one code at a time be started to a number and its neighbours, so that what is counted is true. */
export async function lockNeighbours(tx: Queryable, { userId, phoneNo }: Place): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1, hashtext($2))", [
    ADVISORY_LOCK_CLASS.codeNeighbours,
    `${userId} ${Math.floor(phoneNo / 100)}`,
  ]);
}

export type Place = { userId: string; phoneNo: number };
type Recent = { count: number; oldestAt: Date | null };

/** @returns how many codes a number got since then. */
export async function countCodesTo(tx: Queryable, { userId, phoneNo }: Place, since: Date): Promise<Recent> {
  const { rows } = await tx.query<Recent>(
    `select count(*)::integer as count, min(created_at) as "oldestAt" from verification
     where user_id = $1 and ${NEIGHBOURS} and phone_no = $2 and created_at > $3`,
    [userId, phoneNo, since],
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** @returns how many codes a number and its neighbours got since then. */
export async function countCodesNear(tx: Queryable, { userId, phoneNo }: Place, since: Date): Promise<Recent> {
  const { rows } = await tx.query<Recent>(
    `select count(*)::integer as count, min(created_at) as "oldestAt" from verification
     where user_id = $1 and ${NEIGHBOURS} and created_at > $3`,
    [userId, phoneNo, since],
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** A newer code takes the place of those that wait. */
export async function endPending(tx: Queryable, of: Place & { mode: VerificationMode; now: Date }): Promise<void> {
  await tx.query(
    `update verification set state = 'ended', decided_at = $4
     where user_id = $1 and ${NEIGHBOURS} and phone_no = $2 and mode = $3 and state = 'pending'`,
    [of.userId, of.phoneNo, of.mode, of.now],
  );
}

export async function insertVerification(
  tx: Queryable,
  row: Omit<Verification, "state"> & { messageId: string; codeHash: Buffer },
): Promise<void> {
  await tx.query(
    `insert into verification (user_id, verification_id, mode, phone_no, message_id, code_hash, tries_left, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.userId,
      row.verificationId,
      row.mode,
      row.phoneNo,
      row.messageId,
      row.codeHash,
      row.triesLeft,
      row.createdAt,
      row.expiresAt,
    ],
  );
}

/** Locks it, so that of several checks at once each sees what the one before it decided. */
export async function lockVerification(
  tx: Queryable,
  key: VerificationKey & { mode: VerificationMode },
): Promise<(Verification & { codeHash: Buffer }) | undefined> {
  const { rows } = await tx.query<Verification & { codeHash: Buffer }>(
    `select ${COLUMNS}, code_hash as "codeHash" from verification
     where user_id = $1 and verification_id = $2 and mode = $3 for no key update`,
    [key.userId, key.verificationId, key.mode],
  );
  return rows[0];
}

export async function takeTry(tx: Queryable, key: VerificationKey): Promise<void> {
  await tx.query(
    "update verification set tries_left = tries_left - 1 where user_id = $1 and verification_id = $2 and state = 'pending'",
    [key.userId, key.verificationId],
  );
}

export async function markVerified(tx: Queryable, key: VerificationKey, now: Date): Promise<void> {
  await tx.query(
    `update verification set state = 'verified', decided_at = $3
     where user_id = $1 and verification_id = $2 and state = 'pending'`,
    [key.userId, key.verificationId, now],
  );
}

export async function findVerification(
  db: Queryable,
  key: VerificationKey & { mode: VerificationMode },
): Promise<Verification | undefined> {
  const { rows } = await db.query<Verification>(
    `select ${COLUMNS} from verification where user_id = $1 and verification_id = $2 and mode = $3`,
    [key.userId, key.verificationId, key.mode],
  );
  return rows[0];
}

/** Newest first. */
export async function selectVerifications(
  db: Queryable,
  page: { userId: string; mode: VerificationMode; after: string | undefined; limit: number },
): Promise<Verification[]> {
  const { rows } = await db.query<Verification>(
    `select ${COLUMNS} from verification where user_id = $1 and mode = $2 and ($3::uuid is null or verification_id < $3)
     order by verification_id desc limit $4`,
    [page.userId, page.mode, page.after ?? null, page.limit],
  );
  return rows;
}

/** Whether a message carried a code: its text is gone, so that it cannot be sent again. */
export async function isCodeMessage(db: Queryable, key: { userId: string; messageId: string }): Promise<boolean> {
  const { rowCount } = await db.query("select from verification where user_id = $1 and message_id = $2", [
    key.userId,
    key.messageId,
  ]);
  return rowCount === 1;
}

export type CodeDay = { day: string; sent: number; verified: number; expired: number };

/** The live codes of days of Lagos that have any; `from` and `until` bound the time that they were sent at. */
export async function selectCodeDays(
  db: Queryable,
  { userId, from, until, now }: { userId: string; from: Date; until: Date; now: Date },
): Promise<CodeDay[]> {
  const { rows } = await db.query<CodeDay>(
    `select to_char(created_at at time zone 'Africa/Lagos', 'YYYY-MM-DD') as day, count(*)::integer as sent,
       count(*) filter (where state = 'verified')::integer as verified,
       count(*) filter (where state = 'ended' or state = 'pending' and (expires_at <= $4 or tries_left = 0))::integer as expired
     from verification where user_id = $1 and mode = 'live' and created_at >= $2 and created_at < $3 group by 1`,
    [userId, from, until, now],
  );
  return rows;
}
