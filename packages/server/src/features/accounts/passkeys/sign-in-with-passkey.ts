/** Signing in with a passkey, which stands for password and second factor. The passkey says who it is: nothing is typed. */
import type { verifyAuthenticationResponse } from "@simplewebauthn/server";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTry, countTryQuietly, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import type { Session } from "../../../http/session/session.ts";
import { writeMail } from "../../../mail/index.ts";
import { inTurnOf, isProofRight } from "../passwords/guess-password.ts";
import { copiedPasskeyMail } from "../second-factor/second-factor-mails.ts";
import type { OpenedSession, SessionOrigin } from "../sessions/sessions.ts";
import { type AccountFinder, beginSession } from "../sessions/sign-in.ts";
import { userHandleOf } from "./manage-passkeys.ts";
import { CHALLENGE_LIFE_MS, makeChallenge, relyingPartyOf, takeAnsweredChallenge } from "./passkey-challenge.ts";
import { findPasskey, markPasskeyUsed, type PasskeyKey } from "./passkey-store.ts";

type ShownPasskey = Parameters<typeof verifyAuthenticationResponse>[0]["response"];

/** @returns the options for `navigator.credentials.get`; they name nobody. @throws AppError `RATE_LIMITED` by the address. */
export async function startPasskeySignIn(deps: Deps, clientAddress: string) {
  await countTry(deps, deps.db, rateRules.passkeyStart, clientKey(clientAddress));
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return await generateAuthenticationOptions({
    rpID: relyingPartyOf(deps.config).id,
    challenge: new Uint8Array(await makeChallenge(deps, null)),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: "required",
  });
}

/**
 * @param finders every kind of person.
 * @throws AppError `PASSKEY_WRONG`, then, only to who has the passkey, `BLOCKED`, `NOT_VERIFIED`, `APPROVAL_REQUIRED`; `RATE_LIMITED` instead of
 *   any of them, where wrong passwords would be.
 */
export async function signInWithPasskey(
  deps: Deps,
  finders: readonly AccountFinder[],
  { credential, ...origin }: SessionOrigin & { credential: ShownPasskey },
): Promise<OpenedSession & { kind: Session["kind"] }> {
  const { clientAddress, deviceMark } = origin;
  const { challenge, passkey } = await inTurnOf(deps, clientAddress, async () => ({
    challenge: await takeAnsweredChallenge(deps, credential.response.clientDataJSON, null),
    passkey: await findPasskey(deps.db, Buffer.from(credential.id, "base64url")),
  }));
  if (passkey === undefined) {
    await countTry(deps, deps.db, rateRules.unknownEmail, clientKey(clientAddress));
    throw new AppError("PASSKEY_WRONG", { message: "This passkey is not known here. It may have been removed" });
  }
  const { kind, actorId } = passkey;
  const about = { account: { kind, id: actorId } };
  const finder = finders.find((each) => each.kind === kind);
  if (finder === undefined) throw new AppError("PASSKEY_WRONG", about);
  let use: PasskeyUse | undefined;
  const isRight = await isProofRight(deps, { kind, actorId, clientAddress, deviceMark }, async () => {
    use = await checkShown(deps, passkey, challenge, credential);
    return use !== undefined;
  });
  if (!isRight || use === undefined) throw new AppError("PASSKEY_WRONG", about);
  const shown = { ...use, now: deps.clock.now() };
  if (isCopy(passkey, shown)) {
    await warnOfCopy(deps, finder, passkey);
    throw new AppError("PASSKEY_WRONG", about);
  }
  const session = await beginSession(deps, finder, actorId, {
    origin,
    hasShownFactor: true,
    // Under the row's lock: a passkey that was removed in the meantime, or whose signature was counted already, opens nothing.
    recheck: async (tx, locked) => {
      if (locked === undefined || !(await markPasskeyUsed(tx, passkey, shown)))
        throw new AppError("PASSKEY_WRONG", about);
    },
  });
  return { ...session, kind };
}

type PasskeyUse = { signCount: number; isBackedUp: boolean };

/** @returns undefined for what is not an answer of this passkey, to this challenge, on our page, by its person. */
async function checkShown(
  deps: Deps,
  passkey: PasskeyKey,
  expectedChallenge: string,
  response: ShownPasskey,
): Promise<PasskeyUse | undefined> {
  const whose = Buffer.from(response.response.userHandle ?? "", "base64url");
  if (!whose.equals(userHandleOf(passkey))) return undefined;
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(deps.config);
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      // The count is compared by us (`isCopy`): the library cannot tell a copy from a wrong signature.
      credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified
      ? { signCount: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
      : undefined;
  } catch (error) {
    deps.log.info({ reason: error instanceof Error ? error.message : "unknown" }, "a passkey was refused");
    return undefined;
  }
}

/** A device that counts its signatures goes on from where it was; one that does not says zero for ever. (WebAuthn, section 6.1.1) */
function isCopy(passkey: PasskeyKey, { signCount }: PasskeyUse): boolean {
  return (signCount > 0 || passkey.signCount > 0) && signCount <= passkey.signCount;
}

/** Told once a day at most. */
async function warnOfCopy(deps: Deps, { kind, owner }: AccountFinder, { actorId, name }: PasskeyKey): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const account = await owner.lock(tx, actorId);
    const isTold = (await countTryQuietly(deps, tx, rateRules.passkeyWarning, kind, actorId)) !== undefined;
    if (account !== undefined && !isTold)
      await writeMail(deps, tx, copiedPasskeyMail(deps.config, { ...account, kind }, name));
  });
}
