import { v7 as uuidv7 } from "uuid";
import type { Config } from "../../../base/config.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { customerRegistered, customerVerified, membersChanged, publishChange } from "../../../events/index.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { assertTriesLeft, countTry, countTryQuietly, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import { verifyMail } from "../account-mails.ts";
import { memberJoinedMail } from "../members/member-mails.ts";
import { takeInvitations } from "../members/member-store.ts";
import { issueToken, useToken } from "../one-time-token.ts";
import { turnOf } from "../passwords/guess-password.ts";
import { assertPasswordAllowed, hashPassword } from "../passwords/passwords.ts";
import {
  type Credentials,
  findCredentialsByEmail,
  insertUser,
  lockCredentials,
  markVerified,
} from "../users/user-store.ts";

export type Registration = { userName: string; fullName: string; email: string; password: string; phoneNo: string };

/**
 * Makes a customer who cannot sign in yet, and writes the mail with the verification link.
 *
 * @throws AppError `HOST_NOT_ALLOWED` for a mailbox of the company; `EMAIL_TAKEN`, also to all but one of several at once; `VALIDATION` for a common password or a name; `RATE_LIMITED`.
 */
export async function registerUser(
  deps: Deps,
  registration: Registration,
  clientAddress: string,
): Promise<{ userId: string }> {
  const { password, ...facts } = registration;
  refuseCompanyAddress(deps.config, facts.email);
  assertPasswordAllowed(password, [deps.config.brand.name, facts.email, facts.userName, facts.fullName]);
  // Both are checked before the expensive hash; the transaction checks them again.
  if ((await findCredentialsByEmail(deps.db, facts.email)) !== undefined) throw new AppError("EMAIL_TAKEN");
  await assertTriesLeft(deps, deps.db, rateRules.mailFrom, clientKey(clientAddress));
  const user = {
    ...facts,
    userId: uuidv7(),
    passwordHash: await hashPassword(password, turnOf(deps, clientAddress)),
    createdAt: deps.clock.now(),
  };
  await withTransaction(deps.db, async (tx) => {
    if (!(await insertUser(tx, user))) throw new AppError("EMAIL_TAKEN");
    await countTry(deps, tx, rateRules.mailFrom, clientKey(clientAddress));
    await mailVerification(deps, tx, user);
    await publishChange(tx, customerRegistered());
  });
  return { userId: user.userId };
}

/**
 * Sends the link again to a customer who has not used it. The caller learns nothing: unknown, verified and flooded
 * addresses get the same answer.
 *
 * @throws AppError `RATE_LIMITED` by the asker's own address alone.
 */
export async function resendVerification(deps: Deps, email: string, clientAddress: string): Promise<void> {
  await countTry(deps, deps.db, rateRules.mailFrom, clientKey(clientAddress));
  const known = await findCredentialsByEmail(deps.db, email);
  if (known === undefined || known.isVerified || isCompanyAddress(deps.config, email)) return;
  await withTransaction(deps.db, async (tx) => {
    const user = await lockCredentials(tx, known.userId);
    if (user === undefined || user.isVerified) return;
    if ((await countTryQuietly(deps, tx, rateRules.mailToFrom, email, clientKey(clientAddress))) !== undefined) return;
    if ((await countTryQuietly(deps, tx, rateRules.mailTo, email)) !== undefined) return;
    await mailVerification(deps, tx, user);
  });
}

async function mailVerification(
  deps: Deps,
  tx: Queryable,
  user: Pick<Credentials, "userId" | "userName" | "fullName" | "email" | "createdAt">,
): Promise<void> {
  const token = await issueToken(deps, tx, { purpose: "verify-user", actorId: user.userId });
  await writeMail(deps, tx, verifyMail(deps.config, user, token));
}

/** Whether a mailbox belongs to the company, whose people register as administrators. */
export function isCompanyAddress(
  config: Pick<Config, "adminEmailHost" | "areAdminSubdomainsAllowed">,
  email: string,
): boolean {
  const host = email.slice(email.lastIndexOf("@") + 1);
  return (
    host === config.adminEmailHost || (config.areAdminSubdomainsAllowed && host.endsWith(`.${config.adminEmailHost}`))
  );
}

/**
 * Refuses company mailboxes as customers. A stranger who registered one would know the password, and the administrator's
 * click on our mail would activate the account. An administrator gets a customer account by switching.
 *
 * @throws AppError `HOST_NOT_ALLOWED`.
 */
export function refuseCompanyAddress(
  config: Pick<Config, "adminEmailHost" | "areAdminSubdomainsAllowed">,
  email: string,
): void {
  if (!isCompanyAddress(config, email)) return;
  throw new AppError("HOST_NOT_ALLOWED", {
    message: "Company mailboxes are for administrators. Register as one, and switch to the customer's side from there",
  });
}

/** Uses a verification link. Never unblocks. @throws AppError `LINK_INVALID` for a link that is used, expired or unknown; `HOST_NOT_ALLOWED`. */
export async function verifyUser(deps: Deps, token: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const userId = await useToken(deps, tx, { purpose: "verify-user", token });
    if (userId === undefined) throw new AppError("LINK_INVALID");
    const user = await lockCredentials(tx, userId);
    if (user === undefined) throw new AppError("LINK_INVALID");
    // The account may date from before such mailboxes were refused: the click would open it to whoever set its password.
    refuseCompanyAddress(deps.config, user.email);
    await markVerified(tx, userId, deps.clock.now());
    if (!user.isVerified) await joinInvitingAccounts(deps, tx, user);
    await publishChange(tx, customerVerified());
  });
}

/**
 * Uses the invitations of a mailbox that has proved itself just now. The first becomes the person's home: what they sign in for.
 * Who invited them gets a mail, because a stranger may have registered in the person's place.
 *
 * @param tx holds the person's row.
 */
async function joinInvitingAccounts(deps: Deps, tx: Queryable, person: Credentials): Promise<void> {
  const { userId: personId, email, fullName } = person;
  for (const { userId, role, invitedBy } of await takeInvitations(tx, { personId, email, now: deps.clock.now() })) {
    const reader = await lockCredentials(tx, invitedBy);
    if (reader !== undefined)
      await writeMail(deps, tx, memberJoinedMail(deps.config, reader, { email, fullName, role }));
    await publishChange(tx, membersChanged(userId));
  }
}
