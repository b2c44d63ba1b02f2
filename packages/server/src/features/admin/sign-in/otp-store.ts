import type { Queryable } from "../../../db/pool.ts";

export type StoredOtp = {
  codeHash: Buffer;
  expiresAt: Date;
  wrongTries: number;
  isUsed: boolean;
  registeredAt: Date;
  registrationWrongTries: number;
};

/** Holds the row until the transaction ends, so that guesses made at once are counted one after the other. */
export async function lockOtp(db: Queryable, adminId: string): Promise<StoredOtp | undefined> {
  const { rows } = await db.query<StoredOtp>(
    `select code_hash as "codeHash", expires_at as "expiresAt", wrong_tries as "wrongTries", used_at is not null as "isUsed",
       registered_at as "registeredAt", registration_wrong_tries as "registrationWrongTries"
     from admin_otp where admin_id = $1 for update`,
    [adminId],
  );
  return rows[0];
}

/** The newest code is the only one. */
export async function putOtp(
  db: Queryable,
  otp: { adminId: string; codeHash: Buffer; expiresAt: Date; registeredAt: Date; registrationWrongTries: number },
): Promise<void> {
  await db.query(
    `insert into admin_otp (admin_id, code_hash, expires_at, registered_at, registration_wrong_tries) values ($1, $2, $3, $4, $5)
     on conflict (admin_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at, wrong_tries = 0, used_at = null,
       registered_at = excluded.registered_at, registration_wrong_tries = excluded.registration_wrong_tries`,
    [otp.adminId, otp.codeHash, otp.expiresAt, otp.registeredAt, otp.registrationWrongTries],
  );
}

export async function countWrongOtp(db: Queryable, adminId: string): Promise<void> {
  await db.query(
    `update admin_otp set wrong_tries = wrong_tries + 1, registration_wrong_tries = registration_wrong_tries + 1 where admin_id = $1`,
    [adminId],
  );
}

export async function markOtpUsed(db: Queryable, adminId: string, now: Date): Promise<void> {
  await db.query(`update admin_otp set used_at = $2 where admin_id = $1`, [adminId, now]);
}
