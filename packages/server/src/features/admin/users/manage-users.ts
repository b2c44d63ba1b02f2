import type { UpdateUserBody } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { customerEdited, publishChange, twoFactorTurnedOff } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import {
  changeUser,
  findCustomer,
  type FlagChange,
  type PasswordOwner,
  revokeAnyApiKey,
  setApproved,
  setBlocked,
  takeSecondFactorAway,
} from "../../accounts/index.ts";
import { replaceSenderNames } from "../../messages/index.ts";
import { keyRevokedMail } from "../admin-mails.ts";

export type FlagRequest = { adminId: string; userId: string; clientAddress: string };

const flags = {
  "block-user": async (deps: Deps, tx: Tx, userId: string) => await setBlocked(deps, tx, userId, true),
  "unblock-user": async (deps: Deps, tx: Tx, userId: string) => await setBlocked(deps, tx, userId, false),
  "approve-user": async (_deps: Deps, tx: Tx, userId: string) => await setApproved(tx, userId, true),
  "unapprove-user": async (_deps: Deps, tx: Tx, userId: string) => await setApproved(tx, userId, false),
};

/** The four switches of a customer, by their calls. */
export type UserFlag = keyof typeof flags;

/**
 * Moves one of a customer's switches. Two presses, or two administrators at once, have one effect and one audit entry.
 *
 * @returns `isChanged` is false for the second of two.
 * @throws AppError `NOT_FOUND`.
 */
export async function flagUser(
  deps: Deps,
  flag: UserFlag,
  { adminId, userId, clientAddress }: FlagRequest,
): Promise<FlagChange> {
  return await withTransaction(deps.db, async (tx) => {
    const change = await flags[flag](deps, tx, userId);
    if (change.isChanged) await deps.recordAudit(tx, { adminId, action: flag, subjectId: userId, clientAddress });
    return change;
  });
}

/**
 * Turns off the second factor of somebody who has lost it. The administrator must find out whether that person is really the
 * one who asks; the audit keeps who decided, and a mail tells the person.
 *
 * @param owner which kind of person `subjectId` is.
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is off, and for one's own.
 */
export async function turnOffTwoFactor(
  deps: Deps,
  owner: PasswordOwner,
  { adminId, subjectId, clientAddress }: { adminId: string; subjectId: string; clientAddress: string },
): Promise<void> {
  // A session left open on some screen must not be enough to turn one's own off.
  if (subjectId === adminId)
    throw new AppError("STATE_CONFLICT", {
      message: "Turn off your own two-factor sign-in on your profile page, with your password and a code",
    });
  await withTransaction(deps.db, async (tx) => {
    await takeSecondFactorAway(deps, tx, owner, subjectId);
    await deps.recordAudit(tx, { adminId, action: "turn-off-two-factor", subjectId, clientAddress });
    await publishChange(tx, twoFactorTurnedOff());
  });
}

/**
 * Revokes a customer's API key; a mail tells the customer.
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
