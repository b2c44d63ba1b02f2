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
  const { rows } = await db.query<{
    code_hash: Buffer;
    expires_at: Date;
    wrong_tries: number;
    is_used: boolean;
    registered_at: Date;
    registration_wrong_tries: number;
  }>(
    `select code_hash, expires_at, wrong_tries, used_at is not null as is_used, registered_at, registration_wrong_tries
     from admin_otp where admin_id = $1 for update`,
    [adminId],
  );
  const [row] = rows;
  return (
    row && {
      codeHash: row.code_hash,
      expiresAt: row.expires_at,
      wrongTries: row.wrong_tries,
      isUsed: row.is_used,
      registeredAt: row.registered_at,
      registrationWrongTries: row.registration_wrong_tries,
    }
  );
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
