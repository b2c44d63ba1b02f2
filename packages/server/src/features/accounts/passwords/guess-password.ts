/** Checking a password: which limits are asked before the expensive comparison, and what a wrong guess costs. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { Gate } from "../../../http/bounds/gate.ts";
import { clientKey, wideClientKey, isSharedAddress } from "../../../http/rate-limits/client-address.ts";
import {
  assertTriesLeft,
  countTry,
  countTryQuietly,
  countTryWithRest,
  forgetTries,
  giveTryBack,
  hasTriesLeft,
  type RateRule,
  rateRules,
} from "../../../http/rate-limits/rate-limit.ts";
import type { Session } from "../../../http/session/session.ts";
import { findKnownDevice } from "../sessions/known-devices.ts";
import { isPasswordRight, pretendToCheckPassword } from "./passwords.ts";

/**
 * An address that has tried too many unknown e-mails gets no more hashes made for them. An instant answer would then tell
 * unknown e-mails from known ones, so every refusal to such an address comes this long after its request.
 */
const TOLD_NOTHING_MS = 400;

/** Whose account somebody tries to open, and from where. */
type Guess = {
  kind: Session["kind"];
  actorId: string;
  clientAddress: string;
  /** Of the browser that asks, at a sign-in. */
  deviceMark?: string | undefined;
  /** The person is signed in and confirms the password: strangers' guesses do not count against them. */
  isSignedIn?: boolean;
};

export type PasswordGuess = Guess & { passwordHash: string; password: string };

/** Counting needs database connections; each address may use only a few at a time, so that a flood does not block others. */
const guesses = new Gate({ placesMax: 200, waitingMax: 5_000, placesPerKeyMax: 3, waitingPerKeyMax: 1_000 });

/** Runs the first look-ups of a sign-in, when its address may. */
export async function inTurnOf<Result>(
  deps: Pick<Deps, "config">,
  clientAddress: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return await guesses.run(work, turnOf(deps, clientAddress));
}

type Counted = { rule: RateRule; by: string[] };

/**
 * Limits are checked and counted before the hash is made; a guess whose hash was never made does not count.
 *
 * @returns whether the password is right; then the wrong ones before it are forgotten.
 * @throws AppError `RATE_LIMITED`, `UNAVAILABLE`.
 */
export async function isGuessRight(deps: Deps, { passwordHash, password, ...guess }: PasswordGuess): Promise<boolean> {
  return await isProofRight(deps, guess, () =>
    isPasswordRight(passwordHash, password, turnOf(deps, guess.clientAddress)),
  );
}

/** The same for whatever stands for the password. @param compare throws when it could not compare; then the guess does not count. */
export async function isProofRight(deps: Deps, guess: Guess, compare: () => Promise<boolean>): Promise<boolean> {
  const { db } = deps;
  const { clientAddress } = guess;
  const address = clientKey(clientAddress);
  const startedAtMs = Date.now();
  const { own, counted } = await inTurnOf(deps, clientAddress, () => countGuess(deps, guess));
  const giveBack = async (): Promise<void> => {
    for (const { rule, by } of counted) await giveTryBack(deps, db, rule, ...by);
  };
  const isRight = await compare().catch(async (error: unknown) => {
    // Nothing was compared: under load the owner's own tries must not count as wrong ones.
    await giveBack();
    await giveTryBack(deps, db, own.rule, ...own.by);
    throw error;
  });
  if (isRight) {
    await giveBack();
    await forgetTries(deps, db, own.rule, ...own.by);
    return true;
  }
  // After ten unknown e-mails this address learns nothing about known ones either; the right password still works.
  if (!(await hasTriesLeft(deps, db, rateRules.unknownEmail, address))) {
    await waitUntil(startedAtMs + TOLD_NOTHING_MS);
    await assertTriesLeft(deps, db, rateRules.unknownEmail, address);
  }
  return false;
}

/**
 * A device that the owner has used has tries of its own, whatever strangers do. All others share what is left to their
 * address, to its network and, slower, to everybody who guesses at this account.
 *
 * @returns own: the count that the right password forgets. counted: those that it only takes itself out of.
 */
async function countGuess(deps: Deps, guess: Guess): Promise<{ own: Counted; counted: Counted[] }> {
  const { db } = deps;
  const { kind, actorId, clientAddress, deviceMark, isSignedIn = false } = guess;
  const device = await findKnownDevice(db, guess, deviceMark);
  const [address, wide] = [clientKey(clientAddress), wideClientKey(clientAddress)];
  const own: Counted = { rule: rateRules.signInFailure, by: [kind, actorId, device ?? address] };
  await countTry(deps, db, own.rule, ...own.by);
  if (device !== undefined || isSignedIn) return { own, counted: [] };
  const counted: Counted[] = [{ rule: rateRules.signInFailureFrom, by: [address] }];
  if (wide !== address) counted.push({ rule: rateRules.signInFailureFromWide, by: [wide] });
  for (const { rule, by } of counted) await countTry(deps, db, rule, ...by);
  const anywhere: Counted = { rule: rateRules.signInFailureAnywhere, by: [kind, actorId] };
  counted.push(anywhere);
  const count = await countTryWithRest(deps, db, anywhere.rule, ...anywhere.by);
  if (count?.isOver !== true) return { own, counted };
  // A shared address has no count of its own that could slow it; it waits for a turn instead, and is never refused for good.
  if (isSharedAddress(clientAddress)) await slowed.run(() => sleep(SLOWED_MS), actorId);
  const slow: Counted = { rule: rateRules.signInFailureSlowed, by: [kind, actorId, address] };
  await countTry(deps, db, slow.rule, ...slow.by);
  counted.push(slow);
  return { own, counted };
}

/** One guess a second at one account, where guesses cannot be told apart by their addresses. */
const SLOWED_MS = 1_000;
const slowed = new Gate({ placesMax: 1_000, waitingMax: 5_000, placesPerKeyMax: 1, waitingPerKeyMax: 30 });

/**
 * The same for an e-mail that nobody has: takes as long, and is never right.
 *
 * @throws AppError `RATE_LIMITED` without making a hash, `UNAVAILABLE`.
 */
export async function guessNobodys(
  deps: Deps,
  { password, clientAddress }: Pick<PasswordGuess, "password" | "clientAddress">,
): Promise<void> {
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
