import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { isUniqueViolation } from "../../../db/sql-state.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { customerChanged, publishChange } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { emailChangedMails } from "../account-mails.ts";
import { revokeTokens } from "../one-time-token.ts";
import { refuseCompanyAddress } from "../registration/register-user.ts";
import { endSessionsFor, endSessionsOf } from "../sessions/sessions.ts";
import { hasOpenSubAccount } from "../sub-accounts/sub-account-store.ts";
import {
  type Credentials,
  lockCredentials,
  lockPersonalFacts,
  type PersonalFacts,
  updateApproved,
  updateBlocked,
  updateClosed,
  updatePersonalFacts,
  updatePersonalInfo,
} from "./user-store.ts";

/**
 * Changes a customer's names, phone number and e-mail. A new e-mail causes a mail to both addresses, ends the customer's
 * sessions and revokes the links that were mailed to the old address.
 *
 * @param tx holds the customer's row until it ends.
 * @param changes what is left out stays.
 * @returns the facts before and after.
 * @throws AppError `NOT_FOUND`; `HOST_NOT_ALLOWED` for a mailbox of the company; `EMAIL_TAKEN` when another customer has the address, also by a change at the same moment.
 */
export async function changeUser(
  deps: Deps,
  tx: Tx,
  userId: string,
  changes: { [Name in keyof PersonalFacts]?: string | undefined },
): Promise<{ before: PersonalFacts; after: PersonalFacts }> {
  const before = await lockPersonalFacts(tx, userId);
  if (before === undefined) throw new AppError("NOT_FOUND");
  const after: PersonalFacts = {
    userName: changes.userName ?? before.userName,
    fullName: changes.fullName ?? before.fullName,
    email: changes.email ?? before.email,
    phoneNo: changes.phoneNo ?? before.phoneNo,
  };
  if (after.email !== before.email) refuseCompanyAddress(deps.config, after.email);
  try {
    await updatePersonalFacts(tx, userId, after);
  } catch (error) {
    if (isUniqueViolation(error, "app_user_email_key")) throw new AppError("EMAIL_TAKEN", { cause: error });
    throw error;
  }
  if (after.email !== before.email) await announceNewEmail(deps, tx, userId, { before, after });
  return { before, after };
}

async function announceNewEmail(
  deps: Deps,
  tx: Tx,
  userId: string,
  { before, after }: Record<"before" | "after", PersonalFacts>,
): Promise<void> {
  for (const purpose of ["verify-user", "reset-password"] as const)
    await revokeTokens(tx, { purpose, actorId: userId });
  await endSessionsOf(tx, { kind: "user", actorId: userId });
  for (const mail of emailChangedMails(deps.config, {
    userName: after.userName,
    oldEmail: before.email,
    newEmail: after.email,
  })) {
    await writeMail(deps, tx, mail);
  }
}

/** Changes a customer's own names and phone number. */
export async function changePersonalInfo(
  deps: Pick<Deps, "db">,
  userId: string,
  info: { userName: string; fullName: string; phoneNo: string },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await updatePersonalInfo(tx, userId, info);
    await publishChange(tx, customerChanged(userId));
  });
}

/** @property isChanged false when the customer was so already. */
export type FlagChange = { userName: string; isChanged: boolean };

/**
 * Blocks or unblocks a customer. A block ends every session and open stream; signing in and sending are refused with
 * `BLOCKED`, and scheduled messages wait. What was accepted before goes on. Unblocking opens an account that its owner has closed.
 *
 * @param tx holds the customer's row: a sign-in at the same moment waits, and is then refused.
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` for one that is erased.
 */
export async function setBlocked(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  userId: string,
  isBlocked: boolean,
): Promise<FlagChange> {
  const { userName, isErasing } = await getLocked(tx, userId);
  if (isErasing && !isBlocked) throw new AppError("STATE_CONFLICT", { message: "This account is erased" });
  const isChanged = await updateBlocked(tx, userId, isBlocked ? deps.clock.now() : null);
  if (isChanged && isBlocked) {
    await endSessionsOf(tx, { kind: "user", actorId: userId });
    await endSessionsFor(tx, userId);
  }
  return await told(tx, userId, { userName, isChanged });
}

/** Gives a customer the "Approved" badge, or takes it away. @throws AppError `NOT_FOUND`. */
export async function setApproved(tx: Tx, userId: string, isApproved: boolean): Promise<FlagChange> {
  const { userName } = await getLocked(tx, userId);
  return await told(tx, userId, { userName, isChanged: await updateApproved(tx, userId, isApproved) });
}

/**
 * Closes an account for its owner: it is blocked from now on, and whoever acts for it is signed out.
 *
 * @param tx holds the customer's row.
 * @throws AppError `NOT_FOUND`; `BLOCKED`, also for one that is closed; `STATE_CONFLICT` while accounts that it made are open.
 */
export async function setClosed(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  userId: string,
): Promise<{ userName: string; email: string }> {
  const { userName, email, isBlocked } = await getLocked(tx, userId);
  if (isBlocked) throw new AppError("BLOCKED");
  if (await hasOpenSubAccount(tx, userId))
    throw new AppError("STATE_CONFLICT", { message: "Accounts that this one made are still open. Close them first" });
  await updateClosed(tx, userId, deps.clock.now());
  await endSessionsOf(tx, { kind: "user", actorId: userId });
  await endSessionsFor(tx, userId);
  await publishChange(tx, customerChanged(userId));
  return { userName, email };
}

async function getLocked(tx: Tx, userId: string): Promise<Credentials> {
  const user = await lockCredentials(tx, userId);
  if (user === undefined) throw new AppError("NOT_FOUND");
  return user;
}

async function told(tx: Tx, userId: string, change: FlagChange): Promise<FlagChange> {
  if (change.isChanged) await publishChange(tx, customerChanged(userId));
  return change;
}
