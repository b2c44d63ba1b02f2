/**
 * The one place that checks codes: at sign-in, before the most sensitive calls, and when the second factor is turned off.
 * An app's code and a recovery code each work once, also in calls at the same moment: one conditional update takes them.
 */
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTryQuietly, countTryWithRest, forgetTries, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import type { Session } from "../../../http/session/session.ts";
import { writeMail } from "../../../mail/index.ts";
import { openSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../secrets/secrets-key.ts";
import type { PasswordOwner } from "../passwords/password-owner.ts";
import { recoveryCodeUsedMail, wrongCodesMail } from "./second-factor-mails.ts";
import {
  countRecoveryCodesLeft,
  type FactorOwner,
  findFactor,
  findFactorAt,
  markFactorShown,
  takeRecoveryCode,
  takeStep,
} from "./second-factor-store.ts";
import { findTotpStep, hashRecoveryCode } from "./factor-codes.ts";

/** What a person shows: a code of the app or a recovery code, if anything. */
export type FactorProof = { code: string | undefined; clientAddress: string };

/**
 * Checks the second factor of a person and uses the code. Must be called outside a transaction: a guess stays counted and a
 * code stays used, whether or not the call that asked for it succeeds.
 *
 * @param owner which kind of person `actorId` is.
 * @returns whether a second factor is on; false asks for nothing.
 * @throws AppError `CODE_REQUIRED`; `CODE_WRONG`, also for a used one; `RATE_LIMITED` after five wrong ones in 15 minutes.
 */
export async function checkSecondFactor(
  deps: Deps,
  owner: PasswordOwner,
  actorId: string,
  { code, clientAddress }: FactorProof,
): Promise<boolean> {
  const who: FactorOwner = { kind: owner.kind, actorId };
  const factor = await findFactor(deps.db, who);
  if (factor?.isOn !== true) return false;
  if (code === undefined || code.trim() === "") throw new AppError("CODE_REQUIRED");
  const guesses = [who.kind, actorId, clientKey(clientAddress)];
  const tries = await countTryWithRest(deps, deps.db, rateRules.secondFactor, ...guesses);
  if (tries?.isOver === true) throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: tries.resetSeconds } });
  const isRight = isAppCode(code)
    ? await takeAppCode(deps, who, factor.sealedSecret, code)
    : await takeWrittenCode(deps, owner, actorId, code);
  if (!isRight) {
    if (tries?.left === 0) await warnOwner(deps, owner, actorId);
    throw new AppError("CODE_WRONG", { account: { kind: owner.kind, id: actorId } });
  }
  await forgetTries(deps, deps.db, rateRules.secondFactor, ...guesses);
  return true;
}

/** Who enters codes has the password or a session already. Told once a day, so that it cannot be used to flood a mailbox. */
async function warnOwner(deps: Deps, owner: PasswordOwner, actorId: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const account = await owner.lock(tx, actorId);
    const isTold = (await countTryQuietly(deps, tx, rateRules.secondFactorWarning, owner.kind, actorId)) !== undefined;
    if (account !== undefined && !isTold)
      await writeMail(deps, tx, wrongCodesMail(deps.config, { ...account, kind: owner.kind }));
  });
}

/** @returns the step of an app's code for a person's encrypted secret. */
export async function readStep(
  deps: Pick<Deps, "config" | "clock" | "log">,
  who: FactorOwner,
  sealedSecret: Buffer,
  code: string,
): Promise<number | undefined> {
  const secret = openSecret(await getSecretsKeys(deps.config), sealOwner(who), sealedSecret);
  // Recovery codes need no key: who has one gets in and sets the app up anew.
  if (secret === undefined)
    deps.log.error(
      { kind: who.kind, actorId: who.actorId },
      "the secret of a second factor cannot be read with this installation's key",
    );
  return secret === undefined ? undefined : findTotpStep(secret, plainDigits(code), deps.clock.now());
}

/** What a secret is sealed for: it opens in no other row. */
export function sealOwner({ kind, actorId }: FactorOwner): string {
  return `second-factor ${kind} ${actorId}`;
}

/** Apps show their digits in two groups. */
function plainDigits(code: string): string {
  return code.replaceAll(/[ -]/g, "");
}

function isAppCode(code: string): boolean {
  return /^[0-9]{6}$/.test(plainDigits(code));
}

async function takeAppCode(deps: Deps, who: FactorOwner, sealedSecret: Buffer, code: string): Promise<boolean> {
  // Addresses are cheap, codes have six digits: who knows the password must not try them from everywhere.
  const wait = await countTryQuietly(deps, deps.db, rateRules.secondFactorAnywhere, who.kind, who.actorId);
  if (wait !== undefined)
    throw new AppError("RATE_LIMITED", {
      message: "Too many wrong codes. Use a recovery code, or wait",
      extra: { retryAfterSeconds: wait },
    });
  const step = await readStep(deps, who, sealedSecret, code);
  if (step === undefined || !(await takeStep(deps.db, who, step))) return false;
  await forgetTries(deps, deps.db, rateRules.secondFactorAnywhere, who.kind, who.actorId);
  return true;
}

async function takeWrittenCode(deps: Deps, owner: PasswordOwner, actorId: string, code: string): Promise<boolean> {
  const who: FactorOwner = { kind: owner.kind, actorId };
  return await withTransaction(deps.db, async (tx) => {
    const account = await owner.lock(tx, actorId);
    if (account === undefined || !(await takeRecoveryCode(tx, who, hashRecoveryCode(who, code), deps.clock.now())))
      return false;
    await writeMail(
      deps,
      tx,
      recoveryCodeUsedMail(deps.config, { ...account, kind: owner.kind }, await countRecoveryCodesLeft(tx, who)),
    );
    return true;
  });
}

/** What a person showed at sign-in or since counts this long in the same session. */
const FRESH_MS = 10 * 60_000;

/**
 * Lets a session go on whose person has no second factor, or showed it within ten minutes; else the code is asked for, and
 * counts for the next ten.
 *
 * @throws AppError as `checkSecondFactor` says.
 */
export async function passFreshSecondFactor(
  deps: Deps,
  owner: PasswordOwner,
  session: Session,
  proof: FactorProof,
): Promise<void> {
  const factor = await findFactor(deps.db, session);
  if (factor?.isOn !== true) return;
  const shownAt = await findFactorAt(deps.db, session.sessionId);
  if (shownAt !== null && deps.clock.now().getTime() - shownAt.getTime() < FRESH_MS) return;
  await checkSecondFactor(deps, owner, session.actorId, proof);
  await markFactorShown(deps.db, session.sessionId, deps.clock.now());
}
