/**
 * A person's own passkeys: adding one, the list, removing one. The library is loaded with the first call: a fifth of all modules of a web
 * process, which no start has to wait for.
 */
import type { verifyRegistrationResponse } from "@simplewebauthn/server";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { writeMail } from "../../../mail/index.ts";
import { checkOwnPassword } from "../passwords/change-password.ts";
import type { PasswordAccount } from "../passwords/password-owner.ts";
import { passFreshSecondFactor } from "../second-factor/check-second-factor.ts";
import type { FactorAct } from "../second-factor/manage-second-factor.ts";
import { passkeyAddedMail, passkeyRemovedMail } from "../second-factor/second-factor-mails.ts";
import type { FactorOwner } from "../second-factor/second-factor-store.ts";
import { CHALLENGE_LIFE_MS, makeChallenge, relyingPartyOf, takeAnsweredChallenge } from "./passkey-challenge.ts";
import { deletePasskey, insertPasskey, type Passkey, selectCredentials, selectPasskeys } from "./passkey-store.ts";

export type { Passkey } from "./passkey-store.ts";

/** What proves who asks. @property code may come from the header, and counts for ten minutes. */
export type PasskeyProof = { password: string; code: string | undefined };

/** Of one person. */
export const PASSKEYS_MAX = 20;
/** ES256, EdDSA and RS256: what devices have. */
const ALGORITHMS = [-7, -8, -257];

/**
 * @returns the options for `navigator.credentials.create`.
 * @throws AppError `PASSWORD_WRONG`, then `CODE_REQUIRED`, `CODE_WRONG` where two-factor sign-in is on; `RATE_LIMITED`.
 */
export async function startPasskey(deps: Deps, act: FactorAct, proof: PasskeyProof) {
  const { session } = act;
  const { email, userName } = await checkProof(deps, act, proof);
  const { id: rpID } = relyingPartyOf(deps.config);
  const known = await selectCredentials(deps.db, session);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return await generateRegistrationOptions({
    rpName: deps.config.brand.name,
    rpID,
    userID: userHandleOf(session),
    // What the device shows when the person chooses between passkeys.
    userName: session.kind === "admin" ? `${email} (administrator)` : email,
    userDisplayName: userName,
    challenge: new Uint8Array(await makeChallenge(deps, session.sessionId)),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      transports,
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

type RegistrationResponse = Parameters<typeof verifyRegistrationResponse>[0]["response"];

/**
 * Adds the passkey that a device made, in the session that started it.
 *
 * @throws AppError `PASSKEY_WRONG`; `STATE_CONFLICT` for one that somebody has, and above `PASSKEYS_MAX`.
 */
export async function finishPasskey(
  deps: Deps,
  { owner, session, clientAddress }: FactorAct,
  made: { credential: RegistrationResponse; name: string },
): Promise<Passkey> {
  const { credential: response, name } = made;
  const expectedChallenge = await takeAnsweredChallenge(deps, response.response.clientDataJSON, session.sessionId);
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(deps.config);
  const checked = await checkMade({
    response,
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!checked.verified) throw new AppError("PASSKEY_WRONG");
  const { credential, credentialBackedUp: isBackedUp } = checked.registrationInfo;
  const { kind, actorId } = session;
  const createdAt = deps.clock.now();
  const passkey = { passkeyId: uuidv7(), name, isBackedUp, createdAt };
  await withTransaction(deps.db, async (tx) => {
    const account = await lockOwner(tx, owner, actorId);
    if ((await selectPasskeys(tx, session)).length >= PASSKEYS_MAX)
      throw new AppError("STATE_CONFLICT", { message: `You have ${PASSKEYS_MAX} passkeys. Remove one first` });
    const isNew = await insertPasskey(tx, {
      ...passkey,
      kind,
      actorId,
      credentialId: Buffer.from(credential.id, "base64url"),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      transports: credential.transports ?? [],
    });
    if (!isNew) throw new AppError("STATE_CONFLICT", { message: "This passkey is in use already" });
    await owner.noteFactor?.(deps, tx, { actorId, action: "finish-passkey", after: { name }, clientAddress });
    await writeMail(deps, tx, passkeyAddedMail(deps.config, { ...account, kind }, name));
  });
  return { ...passkey, lastUsedAt: null };
}

async function checkMade(made: Parameters<typeof verifyRegistrationResponse>[0]) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const attestation = decodeAttestationObject(
      new Uint8Array(Buffer.from(made.response.response.attestationObject, "base64url")),
    );
    // We ask for no certificates of devices: the library would fetch what a forged one names.
    const isPlain = ["none", "packed"].includes(attestation.get("fmt"));
    if (!isPlain || attestation.get("attStmt").get("x5c") !== undefined) throw new Error("it has a certificate");
    return await verifyRegistrationResponse(made);
  } catch (cause) {
    throw new AppError("PASSKEY_WRONG", { cause });
  }
}

export async function listPasskeys(deps: Pick<Deps, "db">, who: FactorOwner): Promise<Passkey[]> {
  return await selectPasskeys(deps.db, who);
}

/** @throws AppError as `startPasskey`, then `NOT_FOUND`, also for another's. */
export async function removePasskey(deps: Deps, act: FactorAct, passkeyId: string, proof: PasskeyProof): Promise<void> {
  const { owner, session, clientAddress } = act;
  const { passwordHash } = await checkProof(deps, act, proof);
  const { kind, actorId } = session;
  await withTransaction(deps.db, async (tx) => {
    const account = await lockOwner(tx, owner, actorId);
    if (account.passwordHash !== passwordHash) throw new AppError("PASSWORD_WRONG");
    const name = await deletePasskey(tx, session, passkeyId);
    if (name === undefined) throw new AppError("NOT_FOUND");
    await owner.noteFactor?.(deps, tx, { actorId, action: "passkey", before: { name }, clientAddress });
    await writeMail(deps, tx, passkeyRemovedMail(deps.config, { ...account, kind }, name));
  });
}

/** A passkey stands for password and second factor, so adding and removing one takes both. */
async function checkProof(deps: Deps, act: FactorAct, { password, code }: PasskeyProof): Promise<PasswordAccount> {
  const { owner, session, clientAddress } = act;
  const { actorId } = session;
  const account = await checkOwnPassword(deps, owner, { actorId, password, clientAddress, isSignedIn: true });
  await passFreshSecondFactor(deps, owner, session, { code, clientAddress });
  return account;
}

async function lockOwner(tx: Tx, owner: FactorAct["owner"], actorId: string): Promise<PasswordAccount> {
  const account = await owner.lock(tx, actorId);
  if (account === undefined) throw new AppError("AUTH_REQUIRED");
  return account;
}

/** How a device tells us whose passkey it shows. It says nothing about the person, and differs between the two sides of one. */
export function userHandleOf({ kind, actorId }: FactorOwner): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${kind} ${actorId}`);
}
