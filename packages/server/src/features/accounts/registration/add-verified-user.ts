import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Tx } from "../../../db/transaction.ts";
import { revokeTokens } from "../one-time-token.ts";
import { hashPassword } from "../passwords/passwords.ts";
import {
  findCredentialsByEmail,
  insertUser,
  lockCredentials,
  markVerified,
  updatePasswordHash,
} from "../users/user-store.ts";
import type { Registration } from "./register-user.ts";

/**
 * Makes a customer whose mailbox needs no proof, for the demo and for seeds.
 *
 * @returns undefined when the address is taken.
 */
export async function addVerifiedUser(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  { password, ...facts }: Registration,
): Promise<{ userId: string } | undefined> {
  const now = deps.clock.now();
  const userId = uuidv7();
  if (!(await insertUser(tx, { ...facts, userId, passwordHash: await hashPassword(password), createdAt: now })))
    return undefined;
  await markVerified(tx, userId, now);
  return { userId };
}

/**
 * Finds or makes the customer account of a person who proved the mailbox elsewhere. A new account has a password that nobody
 * knows, until the person resets it.
 *
 * @throws AppError `BLOCKED`.
 */
export async function adoptUser(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  owner: { userName: string; fullName: string; email: string; phoneNo: string },
): Promise<{ userId: string; isNew: boolean }> {
  const known = await findCredentialsByEmail(tx, owner.email);
  if (known === undefined) {
    const made = await addVerifiedUser(deps, tx, { ...owner, password: makeNobodysPassword() });
    // Undefined: another transaction made it meanwhile, and has committed.
    if (made !== undefined) return { ...made, isNew: true };
  }
  const userId = known?.userId ?? (await findCredentialsByEmail(tx, owner.email))?.userId;
  const user = userId === undefined ? undefined : await lockCredentials(tx, userId);
  if (user === undefined) throw new AppError("STATE_CONFLICT");
  if (user.isBlocked) throw new AppError("BLOCKED");
  if (!user.isVerified) await takeFromStranger(deps, tx, user.userId);
  return { userId: user.userId, isNew: false };
}

/** Takes the account from a stranger who registered this mailbox without proving it: their password stops working. */
async function takeFromStranger(deps: Pick<Deps, "clock">, tx: Tx, userId: string): Promise<void> {
  await updatePasswordHash(tx, userId, await hashPassword(makeNobodysPassword()));
  await revokeTokens(tx, { purpose: "verify-user", actorId: userId });
  await revokeTokens(tx, { purpose: "reset-password", actorId: userId });
  await markVerified(tx, userId, deps.clock.now());
}

export function makeNobodysPassword(): string {
  return randomBytes(32).toString("base64url");
}
