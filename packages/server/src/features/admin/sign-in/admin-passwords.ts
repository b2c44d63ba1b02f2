import type { PasswordAccount, PasswordOwner } from "../../accounts/index.ts";
import { type Admin, findAdminByEmail, lockAdmin, updateAdminPasswordHash } from "../admin-store.ts";

/** An administrator who never verified the mailbox gets no reset: they can register again. */
export const administrators: PasswordOwner = {
  kind: "admin",
  purpose: "reset-admin-password",
  findByEmail: async (db, email) => accountOf(await findAdminByEmail(db, email)),
  lock: async (tx, adminId) => accountOf(await lockAdmin(tx, { adminId })),
  storePassword: async (deps, tx, { actorId, passwordHash, clientAddress }) => {
    await updateAdminPasswordHash(tx, actorId, passwordHash, deps.clock.now());
    await deps.recordAudit(tx, {
      adminId: actorId,
      action: "change-user-password",
      subjectId: actorId,
      clientAddress,
    });
  },
  noteFactor: async (deps, tx, { actorId, ...entry }) =>
    await deps.recordAudit(tx, { adminId: actorId, subjectId: actorId, ...entry }),
};

function accountOf(admin: Admin | undefined): PasswordAccount | undefined {
  return admin?.isVerified === true
    ? { actorId: admin.adminId, email: admin.email, userName: admin.adminName, passwordHash: admin.passwordHash }
    : undefined;
}
