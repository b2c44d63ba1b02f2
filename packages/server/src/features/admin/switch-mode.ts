/**
 * One person with both accounts goes from one dashboard to the other without a second password. The new session ends when
 * the one before it would have ended, so that switching to and fro prolongs nothing.
 */
import { withTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import type { Session } from "../../http/session.ts";
import { adoptUser, exchangeSession, findVerifiedEmail, type OpenedSession, type SessionOrigin } from "../accounts/index.ts";
import { recordAudit } from "./record-audit.ts";
import { findAdminByEmail, lockAdmin } from "./store.ts";

/** @throws AppError `FORBIDDEN` for who is no administrator. */
export async function switchToAdmin(deps: Deps, session: Session, from: SessionOrigin): Promise<OpenedSession> {
  return await withTransaction(deps.db, async (tx) => {
    // Both must have proven the mailbox: an unverified customer may have typed somebody else's.
    const email = await findVerifiedEmail(tx, session.actorId);
    const found = email === undefined ? undefined : await findAdminByEmail(tx, email);
    const admin = found === undefined ? undefined : await lockAdmin(tx, { adminId: found.adminId });
    if (admin?.isVerified !== true || admin.email !== email) throw new AppError("FORBIDDEN");
    const { adminId } = admin;
    await recordAudit(deps, tx, { adminId, action: "switch-to-admin", subjectId: session.actorId, clientAddress: from.clientAddress });
    return await exchangeSession(deps, tx, session, { kind: "admin", actorId: adminId }, from);
  });
}

/** @throws AppError `BLOCKED` when the customer account is. */
export async function switchToUser(deps: Deps, session: Session, from: SessionOrigin): Promise<OpenedSession> {
  return await withTransaction(deps.db, async (tx) => {
    const admin = await lockAdmin(tx, { adminId: session.actorId });
    if (admin === undefined) throw new AppError("AUTH_REQUIRED");
    const owner = { userName: admin.adminName, fullName: admin.adminFullName, email: admin.email, phoneNo: admin.contact };
    const { userId, isNew } = await adoptUser(deps, tx, owner);
    const { adminId } = admin;
    await recordAudit(deps, tx, { adminId, action: "switch-to-user", subjectId: userId, after: { isNewAccount: isNew }, clientAddress: from.clientAddress });
    await publishChange(tx, { admin: true, topics: ["admin"] });
    return await exchangeSession(deps, tx, session, { kind: "user", actorId: userId }, from);
  });
}
