import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { publishChange, twoFactorTurnedOff } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import {
  findCustomer,
  type FlagChange,
  type PasswordOwner,
  revokeAnyApiKey,
  setApproved,
  setBlocked,
  takeSecondFactorAway,
} from "../../accounts/index.ts";
import { keyRevokedMail } from "../admin-mails.ts";

export type FlagRequest = { adminId: string; userId: string; clientAddress: string };

/**
 * The four switches of a customer. Pressing one twice, or two administrators at once, is one effect and one audit entry;
 * the second is told that it was so already.
 *
 * @throws AppError `NOT_FOUND`.
 */
export const flagUser = {
  block: flag("block-user", async (deps, tx, userId) => await setBlocked(deps, tx, userId, true), "blocked"),
  unblock: flag("unblock-user", async (deps, tx, userId) => await setBlocked(deps, tx, userId, false), "unblocked"),
  approve: flag("approve-user", async (_deps, tx, userId) => await setApproved(tx, userId, true), "approved"),
  unapprove: flag(
    "unapprove-user",
    async (_deps, tx, userId) => await setApproved(tx, userId, false),
    "not approved any more",
  ),
};

/** @param outcome how the customer is afterwards: "Ada is blocked". */
function flag(action: string, act: (deps: Deps, tx: Tx, userId: string) => Promise<FlagChange>, outcome: string) {
  return async (deps: Deps, { adminId, userId, clientAddress }: FlagRequest): Promise<{ message: string }> =>
    await withTransaction(deps.db, async (tx) => {
      const { userName, isChanged } = await act(deps, tx, userId);
      if (!isChanged) return { message: `Nothing to do: ${userName} is ${outcome} already` };
      await deps.recordAudit(tx, { adminId, action, subjectId: userId, clientAddress });
      return { message: `${userName} is ${outcome}` };
    });
}

/**
 * Turns the second factor of somebody else off, who can show it no more. Whether it is really that person who asks is the
 * administrator's to find out; the audit keeps who decided it, and the person hears of it by mail.
 *
 * @param owner which kind of person `subjectId` is.
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is off, and for one's own.
 */
export async function turnOffTwoFactor(
  deps: Deps,
  owner: PasswordOwner,
  { adminId, subjectId, clientAddress }: { adminId: string; subjectId: string; clientAddress: string },
): Promise<{ message: string }> {
  // A session that somebody left open must not be enough for that.
  if (subjectId === adminId)
    throw new AppError("STATE_CONFLICT", { message: "Turn your own off on your profile page, with password and code" });
  return await withTransaction(deps.db, async (tx) => {
    await takeSecondFactorAway(deps, tx, owner, subjectId);
    await deps.recordAudit(tx, { adminId, action: "turn-off-two-factor", subjectId, clientAddress });
    await publishChange(tx, twoFactorTurnedOff());
    return { message: "Two-factor sign-in is off. The person was told by mail, and is signed out everywhere" };
  });
}

/**
 * An administrator ends a customer's key; a mail tells the customer.
 *
 * @throws AppError `NOT_FOUND`, also for the second of two administrators.
 */
export async function revokeUserApiKey(
  deps: Deps,
  act: { adminId: string; keyId: string; clientAddress: string },
): Promise<void> {
  const { adminId, keyId, clientAddress } = act;
  await withTransaction(deps.db, async (tx) => {
    const { userId, name } = await revokeAnyApiKey(tx, keyId);
    const customer = await findCustomer(tx, userId);
    if (customer !== undefined) await writeMail(deps, tx, keyRevokedMail(deps.config, customer, name));
    await deps.recordAudit(tx, {
      adminId,
      action: "revoke-user-api-key",
      subjectId: userId,
      before: { name },
      clientAddress,
    });
  });
}
