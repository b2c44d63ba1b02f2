/** What owners do about other administrators. Each act is audited, and repeating one changes nothing. See `let-in.ts` for the states. */
import { randomBytes } from "node:crypto";
import type { ListQuery, AdminRole } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import type { AuditEntry, Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { administratorsChanged, publishChange } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import {
  endSessionsOf,
  findCustomerByEmail,
  hashPassword,
  revokeTokens,
  isCompanyAddress,
} from "../../accounts/index.ts";
import { lapseApprovals } from "../../approvals/index.ts";
import { adminApprovedMail, adminInvitedMail } from "../admin-mails.ts";
import { type Admin, lockAdmin, findAdmin, findAdminByEmail } from "../admin-store.ts";
import {
  type AdminListRow,
  lockOwners,
  selectAdministrators,
  selectOwners,
  updateAdminBlocked,
  updateApproved,
  updateRemoved,
  putInvitation,
} from "./team-store.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";

/** Who acts on whom. */
export type AdminAct = { adminId: string; otherId: string; clientAddress: string };

/** @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAdministrators(
  db: Queryable,
  query: ListQuery,
): Promise<{ rows: AdminListRow[]; next: string | null }> {
  assertIdCursor(query.after);
  return await readPage(
    query.limit,
    (limit) => selectAdministrators(db, { after: query.after, limit }),
    ({ adminId }) => adminId,
  );
}

/** @property isChanged false when the administrator was so already; then nothing was done. */
export type ActOutcome = { adminName: string; isChanged: boolean };

/** @throws AppError `NOT_FOUND`. */
export async function approveAdministrator(deps: Deps, act: AdminAct): Promise<ActOutcome> {
  return await actOn(deps, act, async (tx, other, now) => {
    if (other.isApproved) return false;
    await updateApproved(tx, other.adminId, { role: other.role, now });
    await writeMail(deps, tx, adminApprovedMail(deps.config, other));
    await audit(deps, tx, act, {
      action: "approve-admin",
      before: { state: "waiting" },
      after: { state: "active", role: other.role },
    });
    return true;
  });
}

/** Ends every session of both their accounts. @throws AppError `NOT_FOUND`; `LAST_OWNER`. */
export async function blockAdministrator(deps: Deps, act: AdminAct): Promise<ActOutcome> {
  return await actOn(deps, act, async (tx, other, now) => {
    if (other.isBlocked) return false;
    await refuseLastOwner(tx, other);
    await updateAdminBlocked(tx, other.adminId, now, now);
    await endBothSides(tx, other);
    await audit(deps, tx, act, { action: "block-admin", after: { state: "blocked" } });
    return true;
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function unblockAdministrator(deps: Deps, act: AdminAct): Promise<ActOutcome> {
  return await actOn(deps, act, async (tx, other, now) => {
    if (!other.isBlocked) return false;
    await updateAdminBlocked(tx, other.adminId, null, now);
    await audit(deps, tx, act, { action: "unblock-admin", before: { state: "blocked" } });
    return true;
  });
}

/** Also refuses an administrator who waits. @throws AppError `NOT_FOUND`; `LAST_OWNER`. */
export async function removeAdministrator(deps: Deps, act: AdminAct): Promise<ActOutcome> {
  const nobodysHash = await hashPassword(randomBytes(32).toString("base64url"));
  return await actOn(deps, act, async (tx, other, now) => {
    await refuseLastOwner(tx, other);
    await updateRemoved(tx, other.adminId, nobodysHash, now);
    for (const purpose of ["admin-otp", "verify-admin", "reset-admin-password"] as const)
      await revokeTokens(tx, { purpose, actorId: other.adminId });
    await lapseApprovals(deps, tx, "role", [other.adminId]);
    await endBothSides(tx, other);
    await audit(deps, tx, act, { action: "remove-admin", before: { email: other.email, role: other.role } });
    return true;
  });
}

/** @param change says whether it changed anything. */
async function actOn(
  deps: Deps,
  act: AdminAct,
  change: (tx: Tx, other: Admin, now: Date) => Promise<boolean>,
): Promise<ActOutcome> {
  return await withTransaction(deps.db, async (tx) => {
    await lockOwners(tx);
    const other = await lockListed(tx, act.otherId);
    return { adminName: other.adminName, isChanged: await change(tx, other, deps.clock.now()) };
  });
}

/** @throws AppError `NOT_FOUND` for administrators who were removed or never verified. */
export async function lockListed(tx: Tx, adminId: string): Promise<Admin> {
  const other = await lockAdmin(tx, { adminId });
  if (other === undefined || other.isRemoved || !(other.isVerified || other.isApproved))
    throw new AppError("NOT_FOUND");
  return other;
}

/** @param tx holds `lockOwners`. @throws AppError `LAST_OWNER` when no other owner is left. */
export async function refuseLastOwner(tx: Tx, other: Admin): Promise<void> {
  if (other.role !== "owner" || !other.isApproved || other.isBlocked) return;
  const owners = await selectOwners(tx);
  if (owners.every(({ adminId }) => adminId === other.adminId)) throw new AppError("LAST_OWNER");
}

async function endBothSides(tx: Tx, { adminId, email }: Admin): Promise<void> {
  await endSessionsOf(tx, { kind: "admin", actorId: adminId });
  const customer = await findCustomerByEmail(tx, email);
  if (customer !== undefined) await endSessionsOf(tx, { kind: "user", actorId: customer.userId });
}

async function audit(
  deps: Deps,
  tx: Tx,
  { adminId, otherId, clientAddress }: AdminAct,
  entry: Pick<AuditEntry, "action" | "before" | "after">,
): Promise<void> {
  await deps.recordAudit(tx, { adminId, subjectId: otherId, clientAddress, ...entry });
  await publishChange(tx, administratorsChanged());
}

const INVITATION_LIFE_MS = 7 * 86_400_000;

/**
 * Approves a company mailbox before it registers, also one whose administrator was removed. Verifying the mailbox uses the
 * invitation. A new invitation replaces the one before.
 *
 * @throws AppError `HOST_NOT_ALLOWED`; `EMAIL_TAKEN` for administrators, also waiting ones; `VALIDATION` for an owner where another
 *   owner would have to agree: they become one later, see `change-role.ts`; `RATE_LIMITED`.
 */
export async function inviteAdmin(
  deps: Deps,
  invite: { adminId: string; email: string; role: AdminRole; clientAddress: string },
): Promise<void> {
  const { adminId, email, role, clientAddress } = invite;
  if (!isCompanyAddress(deps.config, email)) throw new AppError("HOST_NOT_ALLOWED");
  await withTransaction(deps.db, async (tx) => {
    await lockOwners(tx);
    const known = await findAdminByEmail(tx, email);
    if (known !== undefined && (known.isVerified || known.isApproved)) throw new AppError("EMAIL_TAKEN");
    if (role === "owner" && (await selectOwners(tx)).length > 1)
      throw fieldError("role", "can be owner later, when another owner agrees");
    await countTry(deps, tx, rateRules.mailTo, email);
    const createdAt = deps.clock.now();
    await putInvitation(tx, {
      email,
      role,
      invitedBy: adminId,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + INVITATION_LIFE_MS),
    });
    await writeMail(
      deps,
      tx,
      adminInvitedMail(deps.config, email, (await findAdmin(tx, adminId))?.email ?? "An owner"),
    );
    await deps.recordAudit(tx, { adminId, action: "invite-admin", after: { email, role }, clientAddress });
  });
}
