/**
 * The states of an administrator after verifying the mailbox: waiting -> active (an owner approves) <-> blocked; any of them ->
 * removed, which only an invitation undoes. The first administrator is owner. People who were invited, or register while
 * `ADMIN_REGISTRATION` is open, never wait.
 */
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { writeMail } from "../../../mail/index.ts";
import { adminWaitsMail } from "../admin-mails.ts";
import type { Admin } from "../admin-store.ts";
import { selectOwners, takeInvitation, updateApproved } from "./team-store.ts";

/**
 * Approves an administrator who has just verified the mailbox, or mails the owners that somebody waits. An approved
 * administrator who verifies a new mailbox stays approved.
 *
 * @param tx holds `lockOwners` and the administrator's row.
 */
export async function letIn(deps: Deps, tx: Tx, admin: Admin, clientAddress: string): Promise<boolean> {
  const { adminId } = admin;
  if (admin.isApproved) return true;
  const now = deps.clock.now();
  const owners = await selectOwners(tx);
  const invited = await takeInvitation(tx, admin.email, now);
  const isIn = owners.length === 0 || invited !== undefined || deps.config.adminRegistration === "open";
  const role = owners.length === 0 ? "owner" : (invited ?? "admin");
  if (isIn) await updateApproved(tx, adminId, { role, now });
  else for (const owner of owners) await writeMail(deps, tx, adminWaitsMail(deps.config, owner, admin));
  const after = isIn ? { state: "active", role } : { state: "waiting" };
  await deps.recordAudit(tx, { adminId, action: "verify-admin", subjectId: adminId, after, clientAddress });
  return isIn;
}
