import type { AdminRole, MemberRole } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";

/** The password of everybody that a factory makes, and its hash: hashing costs 60 ms, which no test is about. */
export const FACTORY_PASSWORD = "correct horse 7";
const FACTORY_PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$gs8bsCRGzjN3s1vuHytlgA$+VMUCCaL70lLyZ2ZHE6+FbQvir1OXOvgpLTqGZZM3Q4";

export type BuiltUser = {
  kind: "user";
  id: string;
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  phoneNo: string;
};

export type UserFacts = {
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  phoneNo: string;
  isVerified: boolean;
  isBlocked: boolean;
  isApproved: boolean;
  isAddressRestricted: boolean;
  createdAt: Date;
};

/** A customer who has verified their mailbox and can sign in with `FACTORY_PASSWORD`. */
export async function buildUser(db: Db, facts: Partial<UserFacts> = {}): Promise<BuiltUser> {
  const userId = facts.userId ?? uuidv7();
  const createdAt = facts.createdAt ?? new Date();
  const user = {
    userId,
    userName: facts.userName ?? "Test",
    fullName: facts.fullName ?? "Test Customer",
    email: facts.email ?? `customer-${userId}@gmail.com`,
    phoneNo: facts.phoneNo ?? "8030000000",
  };
  await db.query(
    `insert into app_user (user_id, user_name, full_name, email, phone_no, password_hash, verified_at, blocked_at,
       is_approved, is_address_restricted, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      user.userId,
      user.userName,
      user.fullName,
      user.email,
      user.phoneNo,
      FACTORY_PASSWORD_HASH,
      (facts.isVerified ?? true) ? createdAt : null,
      facts.isBlocked === true ? createdAt : null,
      facts.isApproved ?? false,
      facts.isAddressRestricted ?? false,
      createdAt,
    ],
  );
  return { kind: "user", id: userId, ...user };
}

export type BuiltAdmin = { kind: "admin"; id: string; adminId: string; adminName: string; email: string };

export type AdminFacts = {
  adminId: string;
  adminName: string;
  adminFullName: string;
  email: string;
  role: AdminRole;
  isVerified: boolean;
  createdAt: Date;
};

/** An administrator who has proved their mailbox and can sign in with `FACTORY_PASSWORD`. */
export async function buildAdmin(db: Db, facts: Partial<AdminFacts> = {}): Promise<BuiltAdmin> {
  const adminId = facts.adminId ?? uuidv7();
  const createdAt = facts.createdAt ?? new Date();
  const admin = { adminId, adminName: facts.adminName ?? "Admin", email: facts.email ?? `admin-${adminId}@ewebal.com` };
  await db.query(
    `insert into admin (admin_id, admin_name, admin_full_name, email, contact, password_hash, verified_at, approved_at, created_at, updated_at, role)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $8, $9)`,
    [
      adminId,
      admin.adminName,
      facts.adminFullName ?? "Test Administrator",
      admin.email,
      "8030000001",
      FACTORY_PASSWORD_HASH,
      (facts.isVerified ?? true) ? createdAt : null,
      createdAt,
      facts.role ?? "admin",
    ],
  );
  return { kind: "admin", id: adminId, ...admin };
}

/** A person who signs in with `FACTORY_PASSWORD` and acts for somebody's account. @param facts isHome: came by the invitation. */
export async function buildMember(
  db: Db,
  facts: { accountId: string; role: MemberRole; isHome?: boolean } & Partial<UserFacts>,
): Promise<BuiltUser & { memberId: string }> {
  const { accountId, role, isHome = true, ...userFacts } = facts;
  const person = await buildUser(db, userFacts);
  const memberId = uuidv7();
  await db.query(
    `insert into account_member (user_id, member_id, email, role, person_id, is_home, invited_by, created_at, joined_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $1, now(), now(), now())`,
    [accountId, memberId, person.email, role, person.userId, isHome],
  );
  return { ...person, memberId };
}
