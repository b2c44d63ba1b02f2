/** A password that somebody tries: what is asked before the dear comparison is made, and what a wrong one costs. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { Gate } from "../../http/bounds/gate.ts";
import { assertTriesLeft, clientKey, countTry, countTryQuietly, forgetTries, giveTryBack, hasTriesLeft, rateRules } from "../../http/rate-limit.ts";
import type { Session } from "../../http/session.ts";
import { isPasswordRight, pretendToCheckPassword } from "./passwords.ts";

/**
 * Once an address has used its unknown e-mails up, no hash is made for more of them; an answer at once would then tell
 * them from known ones. So every wrong answer to such an address comes this long after its question.
 */
const TOLD_NOTHING_MS = 400;

export type PasswordGuess = { kind: Session["kind"]; actorId: string; passwordHash: string; password: string; clientAddress: string };

/** Counting asks the database; one address has few of its connections at a time, or its flood would keep all others waiting. */
const guesses = new Gate({ placesMax: 200, waitingMax: 5_000, placesPerKeyMax: 3, waitingPerKeyMax: 1_000 });

/** Does what a sign-in looks up first, when its address's turn has come. */
export async function inTurnOf<Result>(deps: Pick<Deps, "config">, clientAddress: string, work: () => Promise<Result>): Promise<Result> {
  return await guesses.run(work, turnOf(deps, clientAddress));
}

/**
 * Limits are asked and counted before the hash is made; a hash that was not made counts nothing.
 *
 * @returns whether the password is right; then the wrong ones before it are forgotten.
 * @throws AppError `RATE_LIMITED`, `UNAVAILABLE`.
 */
export async function isGuessRight(deps: Deps, { kind, actorId, passwordHash, password, clientAddress }: PasswordGuess): Promise<boolean> {
  const { db } = deps;
  const address = clientKey(clientAddress);
  const startedAtMs = Date.now();
  const by = [kind, actorId, address];
  await inTurnOf(deps, clientAddress, () => countTry(deps, db, rateRules.signInFailure, ...by));
  const isRight = await isPasswordRight(passwordHash, password, turnOf(deps, clientAddress)).catch(async (error: unknown) => {
    // Nothing was compared: a service under load must not make an owner's own tries wrong ones.
    await giveTryBack(deps, db, rateRules.signInFailure, ...by);
    throw error;
  });
  if (isRight) {
    await forgetTries(deps, db, rateRules.signInFailure, ...by);
    return true;
  }
  // After ten unknown e-mails this address is told nothing about known ones either; the right password still opens.
  if (!(await hasTriesLeft(deps, db, rateRules.unknownEmail, address))) {
    await waitUntil(startedAtMs + TOLD_NOTHING_MS);
    await assertTriesLeft(deps, db, rateRules.unknownEmail, address);
  }
  return false;
}

/**
 * The same for an e-mail that nobody has: takes as long, and is never right.
 *
 * @throws AppError `RATE_LIMITED` without making a hash, `UNAVAILABLE`.
 */
export async function guessNobodys(deps: Deps, { password, clientAddress }: Pick<PasswordGuess, "password" | "clientAddress">): Promise<void> {
  const { db } = deps;
  const address = clientKey(clientAddress);
  const startedAtMs = Date.now();
  const wait = await inTurnOf(deps, clientAddress, () => countTryQuietly(deps, db, rateRules.unknownEmail, address));
  if (wait !== undefined) {
    await waitUntil(startedAtMs + TOLD_NOTHING_MS);
    throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: wait } });
  }
  await pretendToCheckPassword(password, turnOf(deps, clientAddress)).catch(async (error: unknown) => {
    await giveTryBack(deps, db, rateRules.unknownEmail, address);
    throw error;
  });
}

/** Whose turn a hash is, see `passwords.ts`; undefined where nothing is limited. */
export function turnOf({ config }: Pick<Deps, "config">, clientAddress: string): string | undefined {
  return config.isRateLimited ? clientKey(clientAddress) : undefined;
}

async function waitUntil(timeMs: number): Promise<void> {
  const restMs = timeMs - Date.now();
  if (restMs > 0) await sleep(restMs);
}
