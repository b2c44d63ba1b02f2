import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import { assertTriesLeft, clientKey, countTry, forgetTries, rateRules } from "../../http/rate-limit.ts";
import type { Session } from "../../http/session.ts";
import { writeMail } from "../../mail/index.ts";
import { passwordChangedMail, resetMail } from "./account-mails.ts";
import { findTokenOwner, issueToken, revokeTokens, useToken } from "./one-time-token.ts";
import { assertPasswordAllowed, hashPassword, isPasswordRight } from "./passwords.ts";
import { endSessionsOf } from "./sessions.ts";
import { type Credentials, findCredentialsByEmail, lockCredentials, updatePasswordHash } from "./store.ts";

const purpose = "reset-password";

/**
 * Mails a reset link to a known address; links mailed before die.
 *
 * @throws AppError `EMAIL_UNKNOWN`; `RATE_LIMITED` by the asker's address or the mailbox.
 */
export async function requestReset(deps: Deps, email: string, clientAddress: string): Promise<void> {
  const address = clientKey(clientAddress);
  await assertTriesLeft(deps, deps.db, rateRules.unknownEmail, address);
  const known = await findCredentialsByEmail(deps.db, email);
  if (known === undefined) {
    await countTry(deps, deps.db, rateRules.unknownEmail, address);
    throw new AppError("EMAIL_UNKNOWN");
  }
  await withTransaction(deps.db, async (tx) => {
    // The lock makes the newest link the only one: a second request at the same moment waits and kills the first's.
    await lockCredentials(tx, known.userId);
    await countTry(deps, tx, rateRules.mailTo, email);
    await countTry(deps, tx, rateRules.mailFrom, address);
    await revokeTokens(tx, { purpose, actorId: known.userId });
    const token = await issueToken(deps, tx, { purpose, actorId: known.userId });
    await writeMail(deps, tx, resetMail(deps.config, known, token));
  });
}

/**
 * Sets a new password with a mailed link and ends every session.
 *
 * @throws AppError `LINK_INVALID`; `VALIDATION` for a common password, which leaves the link alive.
 */
export async function resetPassword(deps: Deps, reset: { token: string; password: string }): Promise<void> {
  const { token } = reset;
  if ((await findTokenOwner(deps, deps.db, { purpose, token })) === undefined) throw new AppError("LINK_INVALID");
  assertPasswordAllowed(reset.password);
  const passwordHash = await hashPassword(reset.password);
  await withTransaction(deps.db, async (tx) => {
    const userId = await useToken(deps, tx, { purpose, token });
    const user = userId === undefined ? undefined : await lockCredentials(tx, userId);
    if (user === undefined) throw new AppError("LINK_INVALID");
    await storePassword(deps, tx, user, { passwordHash, keep: undefined });
  });
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
  const guesses = [session.kind, session.actorId, clientKey(change.clientAddress)];
  await countTry(deps, deps.db, rateRules.signInFailure, ...guesses);
  const before = await withTransaction(deps.db, async (tx) => await lockCredentials(tx, session.actorId));
  if (before === undefined || !(await isPasswordRight(before.passwordHash, currentPassword))) throw new AppError("PASSWORD_WRONG");
  await forgetTries(deps, deps.db, rateRules.signInFailure, ...guesses);
  assertPasswordAllowed(change.password);
  const passwordHash = await hashPassword(change.password);
  await withTransaction(deps.db, async (tx) => {
    const user = await lockCredentials(tx, session.actorId);
    if (user?.passwordHash !== before.passwordHash) throw new AppError("PASSWORD_WRONG");
    await storePassword(deps, tx, user, { passwordHash, keep: session.sessionId });
  });
}

async function storePassword(
  deps: Deps,
  tx: Queryable,
  user: Credentials,
  change: { passwordHash: string; keep: string | undefined },
): Promise<void> {
  await updatePasswordHash(tx, user.userId, change.passwordHash);
  await revokeTokens(tx, { purpose, actorId: user.userId });
  await endSessionsOf(tx, { kind: "user", actorId: user.userId }, change.keep);
  await writeMail(deps, tx, passwordChangedMail(deps.config, user));
}
