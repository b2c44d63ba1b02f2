import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange } from "../../../events/index.ts";
import { type PasswordOwner, takeSecondFactorAway } from "../../accounts/index.ts";
import { recordAudit } from "../audit/record-audit.ts";

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
    await recordAudit(deps, tx, { adminId, action: "turn-off-two-factor", subjectId, clientAddress });
    await publishChange(tx, { admin: true, topics: ["admin"] });
    return { message: "Two-factor sign-in is off. The person was told by mail, and is signed out everywhere" };
  });
}
