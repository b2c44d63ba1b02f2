import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import { assertTriesLeft, clientKey, countTry, rateRules } from "../../http/rate-limit.ts";
import type { Session } from "../../http/session.ts";
import { writeMail } from "../../mail/index.ts";
import { passwordChangedMail, resetMail } from "./account-mails.ts";
import { isGuessRight, turnOf } from "./guess-password.ts";
import { findTokenOwner, issueToken, revokeTokens, useToken } from "./one-time-token.ts";
import { customers, type PasswordAccount, type PasswordOwner } from "./password-owner.ts";
import { assertPasswordAllowed, hashPassword } from "./passwords.ts";
import { endSessionsOf } from "./sessions.ts";
import { lockCredentials } from "./store.ts";

/**
 * Mails a reset link to a known address; links mailed before die. Who is a customer and an administrator has two passwords, and
 * gets a mail for each.
 *
 * @throws AppError `EMAIL_UNKNOWN`; `RATE_LIMITED` by the asker's address or the mailbox.
 */
export async function requestReset(deps: Deps, owners: readonly PasswordOwner[], email: string, clientAddress: string): Promise<void> {
  const address = clientKey(clientAddress);
  await assertTriesLeft(deps, deps.db, rateRules.unknownEmail, address);
  const known: { owner: PasswordOwner; account: PasswordAccount }[] = [];
  for (const owner of owners) {
    const account = await owner.findByEmail(deps.db, email);
    if (account !== undefined) known.push({ owner, account });
  }
  if (known.length === 0) {
    await countTry(deps, deps.db, rateRules.unknownEmail, address);
    throw new AppError("EMAIL_UNKNOWN");
  }
  await withTransaction(deps.db, async (tx) => {
    // The lock makes the newest link the only one: a second request at the same moment waits and kills the first's.
    for (const { owner, account } of known) await owner.lock(tx, account.actorId);
    await countTry(deps, tx, rateRules.mailToFrom, email, address);
    await countTry(deps, tx, rateRules.mailFrom, address);
    await countTry(deps, tx, rateRules.mailTo, email);
    for (const { owner, account } of known) {
      const { kind, purpose } = owner;
      await revokeTokens(tx, { purpose, actorId: account.actorId });
      const token = await issueToken(deps, tx, { purpose, actorId: account.actorId });
      await writeMail(deps, tx, resetMail(deps.config, { ...account, kind }, token));
    }
  });
}

/**
 * Sets a new password with a mailed link and ends every session.
 *
 * @returns whose password it is: where they sign in.
 * @throws AppError `LINK_INVALID`; `VALIDATION` for a common password, which leaves the link alive.
 */
export async function resetPassword(
  deps: Deps,
  owners: readonly PasswordOwner[],
  reset: { token: string; password: string; clientAddress: string },
): Promise<PasswordOwner["kind"]> {
  const { token, clientAddress } = reset;
  const owner = await findOwner(deps, owners, token);
  if (owner === undefined) throw new AppError("LINK_INVALID");
  assertPasswordAllowed(reset.password);
  const passwordHash = await hashPassword(reset.password, turnOf(deps, clientAddress));
  await withTransaction(deps.db, async (tx) => {
    const actorId = await useToken(deps, tx, { purpose: owner.purpose, token });
    const account = actorId === undefined ? undefined : await owner.lock(tx, actorId);
    if (account === undefined) throw new AppError("LINK_INVALID");
    await replacePassword(deps, tx, owner, account, { passwordHash, clientAddress, keep: undefined });
  });
  return owner.kind;
}

async function findOwner(deps: Deps, owners: readonly PasswordOwner[], token: string): Promise<PasswordOwner | undefined> {
  for (const owner of owners) {
    if ((await findTokenOwner(deps, deps.db, { purpose: owner.purpose, token })) !== undefined) return owner;
  }
  return undefined;
}

/**
 * Sets a new password for who is signed in and knows the present one; their other sessions end.
 *
 * @throws AppError `PASSWORD_WRONG`, throttled like a sign-in; `VALIDATION`.
 */
export async function changeOwnPassword(
  deps: Deps,
  change: { session: Session; currentPassword: string | undefined; password: string; clientAddress: string },
): Promise<void> {
  const { session, currentPassword } = change;
  if (currentPassword === undefined) throw fieldError("currentPassword", "is required");
  const { clientAddress } = change;
  const before = await withTransaction(deps.db, async (tx) => await lockCredentials(tx, session.actorId));
  const guess = { ...session, password: currentPassword, clientAddress };
  if (before === undefined || !(await isGuessRight(deps, { ...guess, passwordHash: before.passwordHash }))) throw new AppError("PASSWORD_WRONG");
  assertPasswordAllowed(change.password);
  const passwordHash = await hashPassword(change.password, turnOf(deps, clientAddress));
  await withTransaction(deps.db, async (tx) => {
    const user = await lockCredentials(tx, session.actorId);
    if (user?.passwordHash !== before.passwordHash) throw new AppError("PASSWORD_WRONG");
    const account = { actorId: user.userId, email: user.email, userName: user.userName, passwordHash };
    await replacePassword(deps, tx, customers, account, { passwordHash, clientAddress, keep: session.sessionId });
  });
}

async function replacePassword(
  deps: Deps,
  tx: Tx,
  { kind, purpose, storePassword }: PasswordOwner,
  account: PasswordAccount,
  change: { passwordHash: string; clientAddress: string; keep: string | undefined },
): Promise<void> {
  const { actorId } = account;
  await storePassword(deps, tx, { actorId, passwordHash: change.passwordHash, clientAddress: change.clientAddress });
  await revokeTokens(tx, { purpose, actorId });
  await endSessionsOf(tx, { kind, actorId }, change.keep);
  await writeMail(deps, tx, passwordChangedMail(deps.config, { ...account, kind }));
}
