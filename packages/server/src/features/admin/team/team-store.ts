/** SQL of what owners decide about administrators. */
import type { AdminRole } from "@ewebal/contract";
import { ADVISORY_LOCK } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

/** Serializes changes of owners: two owners must not leave at the same moment and both believe that the other stays. */
export async function lockOwners(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK.adminOwners]);
}

/** @returns owners who are approved and not blocked, also those who are verifying a new mailbox. */
export async function selectOwners(db: Queryable): Promise<{ adminId: string; adminName: string; email: string }[]> {
  const { rows } = await db.query<{ adminId: string; adminName: string; email: string }>(
    `select admin_id as "adminId", admin_name as "adminName", email from admin
     where role = 'owner' and approved_at is not null and blocked_at is null order by created_at, admin_id`,
  );
  return rows;
}

export type AdminListRow = {
  adminId: string;
  adminName: string;
  adminFullName: string;
  email: string;
  role: AdminRole;
  isApproved: boolean;
  isBlocked: boolean;
  hasTwoFactor: boolean;
  lastSignInAt: Date | null;
  createdAt: Date;
};

/** Administrators who have verified a mailbox, the present one or an earlier one; newest first. */
export async function selectAdministrators(
  db: Queryable,
  page: { after: string | undefined; limit: number },
): Promise<AdminListRow[]> {
  const { rows } = await db.query<AdminListRow>(
    `select a.admin_id as "adminId", a.admin_name as "adminName", a.admin_full_name as "adminFullName", a.email, a.role,
       a.approved_at is not null as "isApproved", a.blocked_at is not null as "isBlocked",
       exists (select 1 from second_factor f where f.kind = 'admin' and f.actor_id = a.admin_id and f.confirmed_at is not null) as "hasTwoFactor",
       a.last_sign_in_at as "lastSignInAt", a.created_at as "createdAt"
     from admin a
     where (a.verified_at is not null or a.approved_at is not null) and ($1::uuid is null or a.admin_id < $1)
     order by a.admin_id desc limit $2`,
    [page.after ?? null, page.limit],
  );
  return rows;
}

export async function updateApproved(tx: Tx, adminId: string, change: { role: AdminRole; now: Date }): Promise<void> {
  await tx.query("update admin set approved_at = $3, role = $2, updated_at = $3 where admin_id = $1", [
    adminId,
    change.role,
    change.now,
  ]);
}

export async function updateAdminBlocked(tx: Tx, adminId: string, blockedAt: Date | null, now: Date): Promise<void> {
  await tx.query("update admin set blocked_at = $2, updated_at = $3 where admin_id = $1", [adminId, blockedAt, now]);
}

export async function updateRole(tx: Tx, adminId: string, role: AdminRole, now: Date): Promise<void> {
  await tx.query("update admin set role = $2, updated_at = $3 where admin_id = $1", [adminId, role, now]);
}

/** The row stays, because the audit names it; nobody can sign in with it any more. */
export async function updateRemoved(tx: Tx, adminId: string, passwordHash: string, now: Date): Promise<void> {
  await tx.query(
    "update admin set removed_at = $3, verified_at = null, approved_at = null, password_hash = $2, updated_at = $3 where admin_id = $1",
    [adminId, passwordHash, now],
  );
}

export async function markAdminSignedIn(db: Queryable, adminId: string, now: Date): Promise<void> {
  await db.query("update admin set last_sign_in_at = $2 where admin_id = $1", [adminId, now]);
}

export type Invitation = { email: string; role: AdminRole; invitedBy: string; createdAt: Date; expiresAt: Date };

/** The newest invitation of a mailbox is the only one. */
export async function putInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  await tx.query(
    `insert into admin_invitation (email, role, invited_by, created_at, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (email) do update set role = excluded.role, invited_by = excluded.invited_by, created_at = excluded.created_at,
       expires_at = excluded.expires_at`,
    [invitation.email, invitation.role, invitation.invitedBy, invitation.createdAt, invitation.expiresAt],
  );
}

export async function hasInvitation(db: Queryable, email: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query("select from admin_invitation where email = $1 and expires_at > $2", [
    email,
    now,
  ]);
  return rowCount === 1;
}

/** Uses an invitation. @returns the role that it gives. */
export async function takeInvitation(tx: Tx, email: string, now: Date): Promise<AdminRole | undefined> {
  const { rows } = await tx.query<{ role: AdminRole; isAlive: boolean }>(
    `delete from admin_invitation where email = $1 returning role, expires_at > $2 as "isAlive"`,
    [email, now],
  );
  return rows[0]?.isAlive === true ? rows[0].role : undefined;
}
