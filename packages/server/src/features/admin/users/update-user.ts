import type { UpdateUserBody } from "@ewebal/contract";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { customerEdited, publishChange } from "../../../events/index.ts";
import { changeUser } from "../../accounts/index.ts";
import { replaceSenderNames } from "../../messages/index.ts";

/** @property waiting the sender names that wait for a second administrator. */
export type UserUpdate = { userName: string; waiting: { names: string[]; approvalId: string } | undefined };

/**
 * An administrator changes a customer's record: names, e-mail, phone number, sender names. All or nothing.
 *
 * @returns the customer's user name as it is now.
 * @throws AppError `NOT_FOUND`; `EMAIL_TAKEN`; `HOST_NOT_ALLOWED` for a new e-mail of the company; `VALIDATION` for sender names
 *   that cannot be sent as.
 */
export async function updateUser(
  deps: Deps,
  request: {
    adminId: string;
    userId: string;
    changes: Omit<UpdateUserBody, "senderID">;
    /** As `readSenderNames` gives them; undefined leaves them as they are. */
    senderNames: string[] | undefined;
    clientAddress: string;
  },
): Promise<UserUpdate> {
  const { adminId, userId, changes, senderNames: names, clientAddress } = request;
  return await withTransaction(deps.db, async (tx) => {
    const { before, after } = await changeUser(deps, tx, userId, changes);
    const customer = { userId, userName: after.userName, email: after.email };
    const wish = { customer, call: "update-user", adminId, clientAddress };
    const senderNames = names === undefined ? undefined : await replaceSenderNames(deps, tx, { ...wish, names });
    const { userName } = after;
    const waiting = senderNames?.waiting;
    const audited = [
      { ...before, ...(senderNames !== undefined && { senderNames: senderNames.before }) },
      { ...after, ...(senderNames !== undefined && { senderNames: senderNames.after }) },
    ] as const;
    const changed = keepChanged(...audited);
    if (Object.keys(changed.after).length === 0) return { userName, waiting };
    await deps.recordAudit(tx, { adminId, action: "update-user", subjectId: userId, ...changed, clientAddress });
    await publishChange(tx, customerEdited(userId));
    return { userName, waiting };
  });
}

type Facts = Record<string, unknown>;

/** The fields that differ. */
function keepChanged(before: Facts, after: Facts): { before: Facts; after: Facts } {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name]]));
  return { before: pick(before), after: pick(after) };
}
