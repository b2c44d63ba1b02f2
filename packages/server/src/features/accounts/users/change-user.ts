import type { Tx } from "../../../db/transaction.ts";
import { isUniqueViolation } from "../../../db/sql-state.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { writeMail } from "../../../mail/index.ts";
import { emailChangedMails } from "../account-mails.ts";
import { refuseCompanyAddress } from "../registration/company-address.ts";
import { revokeTokens } from "../one-time-token.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { lockPersonalFacts, type PersonalFacts, updatePersonalFacts } from "./user-store.ts";

/**
 * Changes a customer's names, phone number and e-mail. A new e-mail is told to both addresses, ends the customer's sessions
 * and makes links that were mailed to the old one worthless.
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
