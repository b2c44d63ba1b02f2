/**
 * A person's second factor is off, begun (a secret that no code has confirmed), or on.
 * Moves: off or begun -> begun (start), begun -> on (confirm, which makes the recovery codes), on -> off (remove).
 */
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTry, forgetTries, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import type { Session } from "../../../http/session/session.ts";
import { writeMail } from "../../../mail/index.ts";
import { sealSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKey } from "../../../secrets/secrets-key.ts";
import { isGuessRight } from "../passwords/guess-password.ts";
import type { PasswordAccount, PasswordOwner } from "../passwords/password-owner.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { checkSecondFactor, readStep, sealOwner } from "./check-second-factor.ts";
import { factorOffMail, factorOnMail } from "./second-factor-mails.ts";
import {
  confirmFactor,
  countRecoveryCodesLeft,
  deleteFactor,
  findFactor,
  insertRecoveryCodes,
  markFactorShown,
  upsertUnconfirmed,
} from "./second-factor-store.ts";
import { hashRecoveryCode, makeRecoveryCodes, makeTotpSecret, otpauthAddress } from "./factor-codes.ts";

/** Who acts on their own second factor, and what kind of person that is. */
export type FactorAct = { owner: PasswordOwner; session: Session; clientAddress: string };

const alreadyOn = (): AppError => new AppError("STATE_CONFLICT", { message: "Two-factor sign-in is on already" });

export async function viewSecondFactor(
  deps: Pick<Deps, "db">,
  session: Session,
): Promise<{ isOn: boolean; recoveryCodesLeft: number }> {
  const factor = await findFactor(deps.db, session);
  return { isOn: factor?.isOn === true, recoveryCodesLeft: await countRecoveryCodesLeft(deps.db, session) };
}

/** Makes a secret that replaces an unconfirmed one. @throws AppError `STATE_CONFLICT` when the second factor is on. */
export async function startSecondFactor(
  deps: Deps,
  { owner, session }: FactorAct,
): Promise<{ secret: string; otpauth: string }> {
  const secret = makeTotpSecret();
  const sealed = sealSecret(await getSecretsKey(deps.config), sealOwner(session), secret);
  return await withTransaction(deps.db, async (tx) => {
    const { email } = await lockOwner(tx, owner, session.actorId);
    if (!(await upsertUnconfirmed(tx, session, sealed, deps.clock.now()))) throw alreadyOn();
    return { secret, otpauth: otpauthAddress(secret, { issuer: deps.config.brand.name, email }) };
  });
}

/**
 * Turns the second factor on for a person who shows one of its codes. This session counts as having shown it.
 *
 * @returns the recovery codes, which from now on only the person has.
 * @throws AppError `STATE_CONFLICT` when nothing was begun, or it is on; `CODE_WRONG`; `RATE_LIMITED`.
 */
export async function confirmSecondFactor(
  deps: Deps,
  { owner, session, clientAddress }: FactorAct,
  code: string,
): Promise<string[]> {
  const factor = await findFactor(deps.db, session);
  if (factor === undefined)
    throw new AppError("STATE_CONFLICT", { message: "Start the set-up again: there is no key to confirm" });
  if (factor.isOn) throw alreadyOn();
  const guesses = [session.kind, session.actorId, clientKey(clientAddress)];
  await countTry(deps, deps.db, rateRules.secondFactor, ...guesses);
  const { sealedSecret } = factor;
  const step = await readStep(deps, session, sealedSecret, code);
  if (step === undefined)
    throw new AppError("CODE_WRONG", {
      message: "This code is incorrect. Check that your phone sets its time automatically",
    });
  const codes = makeRecoveryCodes();
  await withTransaction(deps.db, async (tx) => {
    const account = await lockOwner(tx, owner, session.actorId);
    const now = deps.clock.now();
    if (!(await confirmFactor(tx, session, { sealedSecret, step, now })))
      throw new AppError("STATE_CONFLICT", { message: "The set-up was continued in another window. Reload the page" });
    await insertRecoveryCodes(
      tx,
      session,
      codes.map((each) => hashRecoveryCode(session, each)),
    );
    await markFactorShown(tx, session.sessionId, now);
    const { actorId } = session;
    await owner.noteFactor?.(deps, tx, { actorId, action: "confirm-two-factor", after: { isOn: true }, clientAddress });
    await writeMail(deps, tx, factorOnMail(deps.config, { ...account, kind: owner.kind }));
  });
  await forgetTries(deps, deps.db, rateRules.secondFactor, ...guesses);
  return codes;
}

/**
 * Turns one's own second factor off.
 *
 * @throws AppError `PASSWORD_WRONG`, then `STATE_CONFLICT` when it is off, `CODE_REQUIRED`, `CODE_WRONG`; `RATE_LIMITED`.
 */
export async function removeSecondFactor(
  deps: Deps,
  act: FactorAct,
  proof: { password: string; code: string | undefined },
): Promise<void> {
  const { owner, session, clientAddress } = act;
  const { passwordHash } = await withTransaction(deps.db, async (tx) => await lockOwner(tx, owner, session.actorId));
  const { kind, actorId } = session;
  if (
    !(await isGuessRight(deps, {
      kind,
      actorId,
      passwordHash,
      password: proof.password,
      clientAddress,
      isSignedIn: true,
    }))
  )
    throw new AppError("PASSWORD_WRONG");
  const wasOn = await checkSecondFactor(deps, owner, session.actorId, { code: proof.code, clientAddress });
  if (!wasOn) throw new AppError("STATE_CONFLICT", { message: "Two-factor sign-in is off already" });
  await withTransaction(deps.db, async (tx) => {
    const account = await lockOwner(tx, owner, session.actorId);
    if (account.passwordHash !== passwordHash) throw new AppError("PASSWORD_WRONG");
    // Another call may have just done it; the person has what they asked for.
    if (!(await deleteFactor(tx, session))) return;
    await owner.noteFactor?.(deps, tx, { actorId, action: "two-factor", after: { isOn: false }, clientAddress });
    await writeMail(deps, tx, factorOffMail(deps.config, { ...account, kind: owner.kind }, "self"));
  });
}

/**
 * Turns off the second factor of a person who lost phone and codes, and ends all their sessions. An administrator decides it;
 * the caller writes the audit entry.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is off.
 */
export async function takeSecondFactorAway(deps: Deps, tx: Tx, owner: PasswordOwner, actorId: string): Promise<void> {
  const account = await owner.lock(tx, actorId);
  if (account === undefined) throw new AppError("NOT_FOUND");
  const who = { kind: owner.kind, actorId };
  if (!(await deleteFactor(tx, who)))
    throw new AppError("STATE_CONFLICT", { message: "Two-factor sign-in of this account is off already" });
  await endSessionsOf(tx, who);
  await writeMail(deps, tx, factorOffMail(deps.config, { ...account, kind: owner.kind }, "administrator"));
}

async function lockOwner(tx: Tx, owner: PasswordOwner, actorId: string): Promise<PasswordAccount> {
  const account = await owner.lock(tx, actorId);
  if (account === undefined) throw new AppError("AUTH_REQUIRED");
  return account;
}
