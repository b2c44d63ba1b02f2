/**
 * A person with both accounts switches between the dashboards. A session that began as an administrator's needs no further
 * password; a customer's password opens only the customer's side. The new session ends when the old one would have ended, so
 * that switching back and forth extends nothing.
 */
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { modeSwitched, publishChange } from "../../../events/index.ts";
import type { Session } from "../../../http/session/session.ts";
import {
  adoptUser,
  checkOwnPassword,
  checkSecondFactor,
  endLook,
  exchangeSession,
  findVerifiedEmail,
  openLook,
  type OpenedSession,
  type SessionOrigin,
} from "../../accounts/index.ts";
import { administrators } from "./admin-passwords.ts";
import { type Admin, findAdminByEmail, lockAdmin } from "../admin-store.ts";

/** The administrator's own password and second factor. */
export type AdminProof = { password: string | undefined; code: string | undefined };

/**
 * Leads back from a look at a customer's account, too, whose administrator is still one (else the session is over).
 *
 * @param proof ignored in a session that began on the administrator's side.
 * @throws AppError `FORBIDDEN` for customers who are not administrators; `BLOCKED`; `APPROVAL_REQUIRED`; then `PASSWORD_REQUIRED`;
 *   `PASSWORD_WRONG`, throttled like a sign-in; `CODE_REQUIRED`, `CODE_WRONG`.
 */
export async function switchToAdmin(
  deps: Deps,
  session: Session,
  proof: AdminProof,
  from: SessionOrigin,
): Promise<OpenedSession> {
  const { actingAdminId } = session;
  if (actingAdminId !== undefined)
    return await withTransaction(deps.db, (tx) => endLook(deps, tx, { ...session, actingAdminId }, from));
  const { adminId, passwordHash } = await findOtherSelf(deps.db, session);
  const isProofNeeded = session.beganAs !== "admin";
  let hasShownFactor = false;
  if (isProofNeeded) {
    const { password, code } = proof;
    if (password === undefined) throw new AppError("PASSWORD_REQUIRED");
    await checkOwnPassword(deps, administrators, { actorId: adminId, password, clientAddress: from.clientAddress });
    hasShownFactor = await checkSecondFactor(deps, administrators, adminId, {
      code,
      clientAddress: from.clientAddress,
    });
  }
  return await withTransaction(deps.db, async (tx) => {
    const admin = await lockAdmin(tx, { adminId });
    if (admin?.email !== (await findOtherSelf(tx, session)).email) throw new AppError("FORBIDDEN");
    if (isProofNeeded && admin.passwordHash !== passwordHash) throw new AppError("PASSWORD_WRONG");
    await deps.recordAudit(tx, {
      adminId,
      action: "switch-to-admin",
      subjectId: session.actorId,
      clientAddress: from.clientAddress,
    });
    return await exchangeSession(deps, tx, session, { kind: "admin", actorId: adminId }, { ...from, hasShownFactor });
  });
}

async function findOtherSelf(db: Queryable, session: Session): Promise<Admin> {
  // Both accounts must have verified the mailbox: an unverified customer may have typed somebody else's.
  const email = await findVerifiedEmail(db, session.actorId);
  const admin = email === undefined ? undefined : await findAdminByEmail(db, email);
  if (admin?.isVerified !== true) throw new AppError("FORBIDDEN");
  if (admin.isBlocked) throw new AppError("BLOCKED");
  if (!admin.isApproved) throw new AppError("APPROVAL_REQUIRED");
  return admin;
}

/** @throws AppError `BLOCKED` when the customer account is. */
export async function switchToUser(deps: Deps, session: Session, from: SessionOrigin): Promise<OpenedSession> {
  return await withTransaction(deps.db, async (tx) => {
    const admin = await lockAdmin(tx, { adminId: session.actorId });
    if (admin === undefined) throw new AppError("AUTH_REQUIRED");
    const owner = {
      userName: admin.adminName,
      fullName: admin.adminFullName,
      email: admin.email,
      phoneNo: admin.contact,
    };
    const { userId, isNew } = await adoptUser(deps, tx, owner);
    const { adminId } = admin;
    await deps.recordAudit(tx, {
      adminId,
      action: "switch-to-user",
      subjectId: userId,
      after: { isNewAccount: isNew },
      clientAddress: from.clientAddress,
    });
    await publishChange(tx, modeSwitched());
    return await exchangeSession(deps, tx, session, { kind: "user", actorId: userId }, from);
  });
}

/**
 * Opens a customer's account for an administrator to look at. Who looked, and why, stands in the audit and in the customer's own list.
 *
 * @throws AppError `NOT_FOUND` when there is no such customer.
 */
export async function actFor(
  deps: Deps,
  session: Session,
  look: { userId: string; reason: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  return await withTransaction(deps.db, async (tx) => {
    const admin = await lockAdmin(tx, { adminId: session.actorId });
    if (admin === undefined) throw new AppError("AUTH_REQUIRED");
    const { adminId, adminName } = admin;
    const { userId, reason } = look;
    const opened = await openLook(deps, tx, session, { userId, adminName, reason }, from);
    await deps.recordAudit(tx, {
      adminId,
      action: "act-for",
      subjectId: userId,
      after: { reason },
      clientAddress: from.clientAddress,
    });
    return opened;
  });
}
