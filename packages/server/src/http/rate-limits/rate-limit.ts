/**
 * How often anything that can be guessed or flooded may be done. The counters are rows, so the limits hold for all
 * processes together; a window begins with its first hit.
 */
import { createHash } from "node:crypto";
import { limits } from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Clock } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import { isSharedAddress } from "./client-address.ts";
import { deleteHits, findHits, insertHit, takeHitBack } from "./rate-limit-store.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export type RateRule = { name: string; hitsMax: number; windowMs: number };

/** The one table of limits. What each counts by is in its comment. */
export const rateRules = {
  /** Account and address: a stranger elsewhere cannot lock anyone out. */
  signInFailure: { name: "sign-in-failure", hitsMax: 10, windowMs: 15 * MINUTE_MS },
  /** Address: over all accounts, so that one password is not tried on each. A device that the owner uses is not counted. */
  signInFailureFrom: { name: "sign-in-failure-from", hitsMax: 30, windowMs: 15 * MINUTE_MS },
  /** The same for a /48 of IPv6, which has 65,536 addresses in that sense. */
  signInFailureFromWide: { name: "sign-in-failure-from-wide", hitsMax: 100, windowMs: 15 * MINUTE_MS },
  /** Account: from all addresses together. Beyond it nobody is locked out, but each unknown address has fewer tries, as follows. */
  signInFailureAnywhere: { name: "sign-in-failure-anywhere", hitsMax: 50, windowMs: HOUR_MS },
  /** Account and address. */
  signInFailureSlowed: { name: "sign-in-failure-slowed", hitsMax: 2, windowMs: 15 * MINUTE_MS },
  /** Account and address, as for passwords: six digits are guessed sooner. */
  secondFactor: { name: "second-factor", hitsMax: 5, windowMs: 15 * MINUTE_MS },
  /** Account: codes of the app from all addresses together, by who knows the password. Recovery codes go on working. */
  secondFactorAnywhere: { name: "second-factor-anywhere", hitsMax: 50, windowMs: HOUR_MS },
  /** Account: mails that wrong codes were entered. */
  secondFactorWarning: { name: "second-factor-warning", hitsMax: 1, windowMs: 24 * HOUR_MS },
  /** Address: asking for e-mails nobody has is how lists of customers are made. */
  unknownEmail: { name: "unknown-email", hitsMax: 10, windowMs: 15 * MINUTE_MS },
  /** Recipient and address: mails that a visitor can make us send again. Asked before `mailTo`: no stranger uses that up alone. */
  mailToFrom: { name: "mail-to-from", hitsMax: 3, windowMs: HOUR_MS },
  /** Recipient: the same from all addresses. */
  mailTo: { name: "mail-to", hitsMax: 12, windowMs: HOUR_MS },
  /** Address: all mails that a visitor makes us send. */
  mailFrom: { name: "mail-from", hitsMax: 20, windowMs: HOUR_MS },
  /** Address. */
  contactForm: { name: "contact-form", hitsMax: 5, windowMs: HOUR_MS },
  /** Customer. */
  receipt: { name: "receipt", hitsMax: 20, windowMs: 24 * HOUR_MS },
  /** Customer: card payments that are begun, and questions whether one has arrived; each is a call to the provider. */
  paymentStart: { name: "payment-start", hitsMax: 20, windowMs: HOUR_MS },
  paymentVerify: { name: "payment-verify", hitsMax: 60, windowMs: 10 * MINUTE_MS },
  /** API key, or customer for calls that send without one; administrators may give a customer another number (`call-limit.ts`). */
  calls: { name: "calls", hitsMax: limits.callsPerSecond, windowMs: SECOND_MS },
  /** Customer: files of contacts, of up to 20 MB. */
  contactFile: { name: "contact-file", hitsMax: 120, windowMs: 10 * MINUTE_MS },
  /** Customer: typed and pasted contacts, of up to 20 MB. */
  contacts: { name: "contacts", hitsMax: 50, windowMs: SECOND_MS },
} as const satisfies Record<string, RateRule>;

/** By an address that many visitors share nothing is limited: one of them would shut the others out. */
function isLimited({ config }: RateDeps, by: readonly string[]): boolean {
  return config.isRateLimited && !by.some(isSharedAddress);
}

type RateDeps = { config: Pick<Config, "isRateLimited">; clock: Clock };

/**
 * Counts one try and lets it through while the limit is not reached. Counted before the try is made, so that tries made
 * at the same time all count.
 *
 * @param db the pool, or the transaction of what is limited: then the count stays exactly when the effect does.
 * @param by what is counted: a customer's id, `clientKey(request.ip)`, or several of these.
 * @throws AppError `RATE_LIMITED` with `retryAfterSeconds`.
 */
export async function countTry(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<void> {
  const wait = await countTryQuietly(deps, db, rule, ...by);
  if (wait !== undefined) throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: wait } });
}

/** The same for callers who answer alike in both cases. @returns undefined, or the seconds until the next try. */
export async function countTryQuietly(
  deps: RateDeps,
  db: Queryable,
  rule: RateRule,
  ...by: string[]
): Promise<number | undefined> {
  const count = await countTryWithRest(deps, db, rule, ...by);
  return count?.isOver === true ? count.resetSeconds : undefined;
}

/** How a limit stands after a try. */
export type TryCount = { isOver: boolean; left: number; resetSeconds: number };

/** The same for callers who tell how much is left. @returns undefined while nothing is limited. */
export async function countTryWithRest(
  deps: RateDeps,
  db: Queryable,
  rule: RateRule,
  ...by: string[]
): Promise<TryCount | undefined> {
  if (!isLimited(deps, by)) return undefined;
  const now = deps.clock.now();
  const { hits, resetsAt } = await insertHit(db, keyHash(rule, by), now, new Date(now.getTime() + rule.windowMs));
  return {
    isOver: hits > rule.hitsMax,
    left: Math.max(0, rule.hitsMax - hits),
    resetSeconds: secondsUntil(resetsAt, now),
  };
}

/**
 * Looks without counting, for calls that are limited by what others count.
 *
 * @throws AppError `RATE_LIMITED` when the next `countTry` would.
 */
export async function assertTriesLeft(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<void> {
  if (!isLimited(deps, by)) return;
  const now = deps.clock.now();
  const { hits, resetsAt } = await findHits(db, keyHash(rule, by), now);
  if (hits < rule.hitsMax) return;
  throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: secondsUntil(resetsAt, now) } });
}

/** The same for callers who do something else then. */
export async function hasTriesLeft(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<boolean> {
  if (!isLimited(deps, by)) return true;
  return (await findHits(db, keyHash(rule, by), deps.clock.now())).hits < rule.hitsMax;
}

/** Undoes one `countTry`: what was counted could not even be tried. */
export async function giveTryBack(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<void> {
  if (deps.config.isRateLimited) await takeHitBack(db, keyHash(rule, by));
}

/** Forgets the tries: the right password shows that the wrong ones were its owner's. */
export async function forgetTries(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<void> {
  if (deps.config.isRateLimited) await deleteHits(db, keyHash(rule, by));
}

function secondsUntil(time: Date, now: Date): number {
  return Math.max(1, Math.ceil((time.getTime() - now.getTime()) / SECOND_MS));
}

function keyHash(rule: RateRule, by: readonly string[]): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([rule.name, ...by]))
    .digest();
}
