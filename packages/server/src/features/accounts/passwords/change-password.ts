import assert from "node:assert/strict";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { assertTriesLeft, countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import type { Session } from "../../../http/session/session.ts";
import { writeMail } from "../../../mail/index.ts";
import { passwordChangedMail, resetMail, type KeysAfterChange } from "../account-mails.ts";
import { countApiKeys } from "../api-keys/api-key-store.ts";
import { endApiKeysOf } from "../api-keys/api-keys.ts";
import { isGuessRight, turnOf } from "./guess-password.ts";
import { findTokenOwner, issueToken, revokeTokens, useToken } from "../one-time-token.ts";
import type { PasswordAccount, PasswordOwner } from "./password-owner.ts";
import { assertPasswordAllowed, hashPassword } from "./passwords.ts";
import { selectPasskeys } from "../passkeys/passkey-store.ts";
import { endSessionsOf } from "../sessions/sessions.ts";

/**
 * Mails a reset link to a known address and revokes earlier links. A person who is both customer and administrator has two
 * passwords, and gets a mail for each.
 *
 * @throws AppError `EMAIL_UNKNOWN`; `RATE_LIMITED` by the asker's address or the mailbox.
 */
export async function requestReset(
  deps: Deps,
  owners: readonly PasswordOwner[],
  email: string,
  clientAddress: string,
): Promise<void> {
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
    // With the lock only the newest link works: a second request at the same moment waits, then revokes the first's link.
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
 * @throws AppError `LINK_INVALID`; `VALIDATION` for a common password, which leaves the link usable.
 */
export async function resetPassword(
  deps: Deps,
  owners: readonly PasswordOwner[],
  reset: { token: string; password: string; clientAddress: string; endsApiKeys?: boolean | undefined },
): Promise<PasswordOwner["kind"]> {
  const { token, clientAddress, endsApiKeys } = reset;
  const owner = await findOwner(deps, owners, token);
  if (owner === undefined) throw new AppError("LINK_INVALID");
  assertPasswordAllowed(reset.password, [deps.config.brand.name]);
  const passwordHash = await hashPassword(reset.password, turnOf(deps, clientAddress));
  await withTransaction(deps.db, async (tx) => {
    const actorId = await useToken(deps, tx, { purpose: owner.purpose, token });
    const account = actorId === undefined ? undefined : await owner.lock(tx, actorId);
    if (account === undefined) throw new AppError("LINK_INVALID");
    // Whose it is was not known before; a refusal leaves the link usable, as nothing is committed.
    assertPasswordAllowed(reset.password, [account.email, account.userName]);
    await replacePassword(deps, tx, { owner, owners }, account, {
      passwordHash,
      clientAddress,
      keep: undefined,
      endsApiKeys,
    });
  });
  return owner.kind;
}

async function findOwner(
  deps: Deps,
  owners: readonly PasswordOwner[],
  token: string,
): Promise<PasswordOwner | undefined> {
  for (const owner of owners) {
    if ((await findTokenOwner(deps, deps.db, { purpose: owner.purpose, token })) !== undefined) return owner;
  }
  return undefined;
}

/**
 * Sets a new password for a person who is signed in and knows the current one. Their other sessions end.
 *
 * @throws AppError `PASSWORD_WRONG`, throttled like a sign-in; `VALIDATION`.
 */
export async function changeOwnPassword(
  deps: Deps,
  owners: readonly PasswordOwner[],
  change: {
    session: Session;
    currentPassword: string | undefined;
    password: string;
    clientAddress: string;
    endsApiKeys?: boolean | undefined;
  },
): Promise<void> {
  const { session, currentPassword, clientAddress, endsApiKeys } = change;
  const owner = owners.find(({ kind }) => kind === session.kind);
  assert(owner !== undefined, `nobody keeps the passwords of the kind ${session.kind}`);
  if (currentPassword === undefined) throw fieldError("currentPassword", "is required");
  const before = await checkOwnPassword(deps, owner, {
    actorId: session.actorId,
    password: currentPassword,
    clientAddress,
    isSignedIn: true,
  });
  assertPasswordAllowed(change.password, [deps.config.brand.name, before.email, before.userName]);
  const passwordHash = await hashPassword(change.password, turnOf(deps, clientAddress));
  await withTransaction(deps.db, async (tx) => {
    const account = await owner.lock(tx, session.actorId);
    if (account?.passwordHash !== before.passwordHash) throw new AppError("PASSWORD_WRONG");
    await replacePassword(deps, tx, { owner, owners }, account, {
      passwordHash,
      clientAddress,
      keep: session.sessionId,
      endsApiKeys,
    });
  });
}

/**
 * Checks the password of a known account, before a new password, a new e-mail or a switch to the other dashboard. Must be
 * called outside a transaction, so that a wrong guess stays counted.
 *
 * @returns the account, whose password may have changed once its row is locked.
 * @throws AppError `PASSWORD_WRONG`, throttled like a sign-in.
 */
export async function checkOwnPassword(
  deps: Deps,
  owner: PasswordOwner,
  guess: { actorId: string; password: string; clientAddress: string; isSignedIn?: boolean },
): Promise<PasswordAccount> {
  const { actorId } = guess;
  const account = await withTransaction(deps.db, async (tx) => await owner.lock(tx, actorId));
  if (
    account === undefined ||
    !(await isGuessRight(deps, { ...guess, kind: owner.kind, passwordHash: account.passwordHash }))
  ) {
    throw new AppError("PASSWORD_WRONG", { account: { kind: owner.kind, id: actorId } });
  }
  return account;
}

/**
 * The sessions of both accounts of the person end: somebody who had one of the passwords may have switched to the other
 * account.
 */
async function replacePassword(
  deps: Deps,
  tx: Tx,
  { owner, owners }: { owner: PasswordOwner; owners: readonly PasswordOwner[] },
  account: PasswordAccount,
  change: { passwordHash: string; clientAddress: string; keep: string | undefined; endsApiKeys: boolean | undefined },
): Promise<void> {
  const { kind, purpose } = owner;
  const { actorId } = account;
  await owner.storePassword(deps, tx, {
    actorId,
    passwordHash: change.passwordHash,
    clientAddress: change.clientAddress,
  });
  await revokeTokens(tx, { purpose, actorId });
  for (const hat of owners) {
    const self = hat.kind === kind ? account : await hat.findByEmail(tx, account.email);
    if (self !== undefined) await endSessionsOf(tx, { kind: hat.kind, actorId: self.actorId }, change.keep);
  }
  await writeMail(
    deps,
    tx,
    passwordChangedMail(deps.config, {
      ...account,
      kind,
      apiKeys: await keysAfter(tx, { kind, actorId }, change.endsApiKeys),
      passkeyCount: (await selectPasskeys(tx, { kind, actorId })).length,
    }),
  );
}

/** Only customers have keys; they outlive a password unless their owner says otherwise. */
async function keysAfter(
  tx: Tx,
  { kind, actorId }: Pick<Session, "kind" | "actorId">,
  areEnded: boolean | undefined,
): Promise<KeysAfterChange> {
  if (kind !== "user") return { count: 0, areEnded: false };
  if (areEnded === true) return { count: await endApiKeysOf(tx, actorId), areEnded: true };
  return { count: await countApiKeys(tx, actorId), areEnded: false };
}
