import assert from "node:assert/strict";
import type { AdminRole } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";

export type Admin = {
  adminId: string;
  adminName: string;
  adminFullName: string;
  email: string;
  contact: string;
  role: AdminRole;
  passwordHash: string;
  isVerified: boolean;
  /** Whether an owner, an invitation or an open registration let them in. */
  isApproved: boolean;
  isBlocked: boolean;
  isRemoved: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** A verified and approved administrator who is not blocked. Removing an administrator clears both times. */
const CAN_SIGN_IN = "verified_at is not null and approved_at is not null and blocked_at is null";

export type NewAdmin = Pick<
  Admin,
  "adminId" | "adminName" | "adminFullName" | "email" | "contact" | "passwordHash" | "createdAt"
>;

/** @returns false when the address has a row already. */
export async function insertAdmin(
  db: Queryable,
  admin: NewAdmin & { verifiedAt?: Date; role?: AdminRole },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into admin (admin_id, admin_name, admin_full_name, email, contact, password_hash, verified_at, approved_at, created_at, updated_at, role)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $8, $9)
     on conflict (email) do nothing`,
    [
      admin.adminId,
      admin.adminName,
      admin.adminFullName,
      admin.email,
      admin.contact,
      admin.passwordHash,
      admin.verifiedAt ?? null,
      admin.createdAt,
      admin.role ?? "admin",
    ],
  );
  return rowCount === 1;
}

/** Replaces an unfinished registration by the next one of the same mailbox. */
export async function replaceRegistration(
  db: Queryable,
  adminId: string,
  admin: Omit<NewAdmin, "adminId" | "email">,
): Promise<void> {
  await db.query(
    `update admin set admin_name = $2, admin_full_name = $3, contact = $4, password_hash = $5, created_at = $6, updated_at = $6,
       role = 'admin', blocked_at = null, removed_at = null
     where admin_id = $1 and verified_at is null`,
    [adminId, admin.adminName, admin.adminFullName, admin.contact, admin.passwordHash, admin.createdAt],
  );
}

const ADMIN_COLUMNS = `
  admin_id as "adminId", admin_name as "adminName", admin_full_name as "adminFullName", email, contact, role,
  password_hash as "passwordHash", verified_at is not null as "isVerified", approved_at is not null as "isApproved",
  blocked_at is not null as "isBlocked", removed_at is not null as "isRemoved", created_at as "createdAt",
  updated_at as "updatedAt"`;

export async function findAdmin(db: Queryable, adminId: string): Promise<Admin | undefined> {
  const { rows } = await db.query<Admin>(`select ${ADMIN_COLUMNS} from admin where admin_id = $1`, [adminId]);
  return rows[0];
}

export async function findAdminByEmail(db: Queryable, email: string): Promise<Admin | undefined> {
  const { rows } = await db.query<Admin>(`select ${ADMIN_COLUMNS} from admin where email = $1`, [email]);
  return rows[0];
}

/** Holds the row until the transaction ends. */
export async function lockAdmin(
  db: Queryable,
  by: { adminId: string } | { email: string },
): Promise<Admin | undefined> {
  const [column, value] = "adminId" in by ? ["admin_id", by.adminId] : ["email", by.email];
  const { rows } = await db.query<Admin>(`select ${ADMIN_COLUMNS} from admin where ${column} = $1 for no key update`, [
    value,
  ]);
  return rows[0];
}

export async function markAdminVerified(db: Queryable, adminId: string, now: Date): Promise<void> {
  await db.query(`update admin set verified_at = coalesce(verified_at, $2), updated_at = $2 where admin_id = $1`, [
    adminId,
    now,
  ]);
}

export async function updateAdminPasswordHash(
  db: Queryable,
  adminId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await db.query(`update admin set password_hash = $2, updated_at = $3 where admin_id = $1`, [
    adminId,
    passwordHash,
    now,
  ]);
}

export type AdminFacts = Pick<Admin, "adminName" | "adminFullName" | "email" | "contact">;

/** @param change isVerified: false when a new e-mail must be verified. */
export async function updateAdminFacts(
  db: Queryable,
  adminId: string,
  change: AdminFacts & { isVerified: boolean; updatedAt: Date },
): Promise<Admin> {
  const { rows } = await db.query<Admin>(
    `update admin set admin_name = $2, admin_full_name = $3, email = $4, contact = $5, updated_at = $6,
       verified_at = case when $7 then verified_at end
     where admin_id = $1
     returning ${ADMIN_COLUMNS}`,
    [
      adminId,
      change.adminName,
      change.adminFullName,
      change.email,
      change.contact,
      change.updatedAt,
      change.isVerified,
    ],
  );
  const [row] = rows;
  assert(row !== undefined, "the administrator's row is locked");
  return row;
}

/** @returns those of these addresses that belong to administrators who can sign in. */
export async function selectAdminEmails(db: Queryable, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ email: string }>(
    `select email from admin where email = any ($1::text[]) and ${CAN_SIGN_IN}`,
    [emails],
  );
  return new Set(rows.map((row) => row.email));
}

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
