import { emailSchema } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { ProgramKey } from "./api-key-store.ts";
import { findApiKeyOwner } from "./api-keys.ts";
import { guessNobodys, inTurnOf, isGuessRight } from "../passwords/guess-password.ts";
import { findFactor } from "../second-factor/second-factor-store.ts";
import { findCredentialsByEmail } from "../users/user-store.ts";

/** Whose call it is; `program` is the key that came in the password's place. */
export type ProgramOwner = { userId: string; program: ProgramKey | undefined };

/**
 * Finds the customer of an e-mail and a key, or an e-mail and a password. Guessing is throttled as at sign-in; unlike there,
 * the refusal never says which of the two was wrong, because a program reads it.
 *
 * @throws AppError `AUTH_REQUIRED`; `RATE_LIMITED`; to callers who know the secret `BLOCKED`, `NOT_VERIFIED`, and
 *   `CODE_REQUIRED` when a second factor is on: then only a key opens.
 */
export async function findProgramOwner(
  deps: Deps,
  login: { email: string; password: string; clientAddress: string },
): Promise<ProgramOwner> {
  const email = emailSchema.safeParse(login.email);
  const user = email.success
    ? await inTurnOf(deps, login.clientAddress, () => findCredentialsByEmail(deps.db, email.data))
    : undefined;
  if (user === undefined) {
    await guessNobodys(deps, login);
    throw new AppError("AUTH_REQUIRED");
  }
  const program = await findApiKeyOwner(deps, { key: login.password, clientAddress: login.clientAddress });
  if (program?.userId === user.userId) return { userId: user.userId, program };
  const account = { kind: "user" as const, id: user.userId };
  const { userId: actorId, passwordHash } = user;
  const isRight = await isGuessRight(deps, { ...login, kind: account.kind, actorId, passwordHash });
  if (!isRight) throw new AppError("AUTH_REQUIRED", { account });
  if (user.isBlocked) throw new AppError("BLOCKED", { account });
  if (!user.isVerified) throw new AppError("NOT_VERIFIED", { account });
  // Such a call cannot carry a code, and the password alone is only one of this account's two factors.
  if ((await findFactor(deps.db, { kind: "user", actorId: user.userId }))?.isOn === true) {
    throw new AppError("CODE_REQUIRED", {
      message: "This account has two-factor sign-in. Use an API key in place of the password",
      account,
    });
  }
  return { userId: user.userId, program: undefined };
}
