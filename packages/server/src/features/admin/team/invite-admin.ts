import type { AdminRole } from "@ewebal/contract";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import { isCompanyAddress } from "../../accounts/index.ts";
import { adminInvitedMail } from "../admin-mails.ts";
import { findAdmin, findAdminByEmail } from "../admin-store.ts";
import { lockOwners, putInvitation, selectOwners } from "./team-store.ts";

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
