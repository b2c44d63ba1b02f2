/**
 * Limits how often a caller may do what can be guessed or flooded. The counters are rows in the database, so the limits
 * hold for all processes together. A window begins with its first hit.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { limits, personalLimits } from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import type { Db, Queryable } from "../../db/pool.ts";
import { SharedWork } from "../bounds/shared-work.ts";
import type { Clock } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import { isSharedAddress } from "./client-address.ts";
import { deleteHits, findHits, insertHit, takeHitBack } from "./rate-limit-store.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export type RateRule = { name: string; hitsMax: number; windowMs: number };

/** The one table of limits. Each comment begins with what the limit counts by. */
export const rateRules = {
  /** Account and address, so that a stranger cannot lock the owner out from elsewhere. */
  signInFailure: { name: "sign-in-failure", hitsMax: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Address, over all accounts, so that one password cannot be tried on each. Known devices of the owner are not
   * counted.
   */
  signInFailureFrom: { name: "sign-in-failure-from", hitsMax: 30, windowMs: 15 * MINUTE_MS },
  /** A /48 of IPv6, which holds 65,536 networks that each count as one address. */
  signInFailureFromWide: { name: "sign-in-failure-from-wide", hitsMax: 100, windowMs: 15 * MINUTE_MS },
  /**
   * Account, over all addresses. Beyond it nobody is locked out, but every unknown address has only the tries below.
   */
  signInFailureAnywhere: { name: "sign-in-failure-anywhere", hitsMax: 50, windowMs: HOUR_MS },
  /** Account and address, once `signInFailureAnywhere` is reached. */
  signInFailureSlowed: { name: "sign-in-failure-slowed", hitsMax: 2, windowMs: 15 * MINUTE_MS },
  /** Account and address. Stricter than for passwords, because six digits are easier to guess. */
  secondFactor: { name: "second-factor", hitsMax: 5, windowMs: 15 * MINUTE_MS },
  /** Account: authenticator codes over all addresses, from callers who know the password. Recovery codes still work. */
  secondFactorAnywhere: { name: "second-factor-anywhere", hitsMax: 50, windowMs: HOUR_MS },
  /** Account: mails that warn of wrong codes. */
  secondFactorWarning: { name: "second-factor-warning", hitsMax: 1, windowMs: 24 * HOUR_MS },
  /** Address: begun sign-ins with a passkey, each of which keeps a challenge for five minutes. */
  passkeyStart: { name: "passkey-start", hitsMax: 300, windowMs: 15 * MINUTE_MS },
  /** Account: mails that a passkey may have been copied. */
  passkeyWarning: { name: "passkey-warning", hitsMax: 1, windowMs: 24 * HOUR_MS },
  /** Address: requests for unknown e-mail addresses and passkeys, by which strangers would find out who is a customer. */
  unknownEmail: { name: "unknown-email", hitsMax: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Recipient and address: mails that a visitor can request again. Checked before `mailTo`, so that no single stranger
   * exhausts that.
   */
  mailToFrom: { name: "mail-to-from", hitsMax: 3, windowMs: HOUR_MS },
  /** Recipient, over all addresses. */
  mailTo: { name: "mail-to", hitsMax: 12, windowMs: HOUR_MS },
  /** Address: all mails that a visitor requests. */
  mailFrom: { name: "mail-from", hitsMax: 20, windowMs: HOUR_MS },
  /** Address. */
  contactForm: { name: "contact-form", hitsMax: 5, windowMs: HOUR_MS },
  /** Customer. */
  receipt: { name: "receipt", hitsMax: 20, windowMs: 24 * HOUR_MS },
  /** Customer: started card payments, and checks whether one has arrived. Each is a call to the card provider. */
  paymentStart: { name: "payment-start", hitsMax: 20, windowMs: HOUR_MS },
  paymentVerify: { name: "payment-verify", hitsMax: 60, windowMs: 10 * MINUTE_MS },
  /**
   * API key, or customer for sends without a key. Administrators may set another number for a customer
   * (`call-limit.ts`).
   */
  calls: { name: "calls", hitsMax: limits.callsPerSecond, windowMs: SECOND_MS },
  /** System id and address: binds whose password may be wrong; a right one takes itself out. */
  smppPassword: { name: "smpp-password", hitsMax: 10, windowMs: MINUTE_MS },
  /** Customer: files of contacts, of up to 20 MB. */
  contactFile: { name: "contact-file", hitsMax: 120, windowMs: 10 * MINUTE_MS },
  /** Address: links of messages that lead nowhere, by which strangers would look for others' links. One that leads somewhere is always followed. */
  unknownLink: { name: "unknown-link", hitsMax: 60, windowMs: 10 * MINUTE_MS },
  /** Customer: messages of which approvers are told by mail. */
  approvalMail: { name: "approval-mail", hitsMax: 30, windowMs: HOUR_MS },
  /** Customer: sends to the account's own number. A rule of the product: it holds without rate limits, too. */
  testSend: { name: "test-send", hitsMax: personalLimits.testSendsPerHour, windowMs: HOUR_MS },
  /** Customer and first digits of the numbers: mails to administrators about codes to neighbouring numbers. A rule of the product. */
  codeAlarm: { name: "code-alarm", hitsMax: 1, windowMs: HOUR_MS },
  /** Customer: typed and pasted contacts, of up to 20 MB. */
  contacts: { name: "contacts", hitsMax: 50, windowMs: SECOND_MS },
} as const satisfies Record<string, RateRule>;

/** A shared address has no limits, because one visitor could shut the others out. */
function isLimited({ config }: RateDeps, by: readonly string[]): boolean {
  return config.isRateLimited && !by.some(isSharedAddress);
}

type RateDeps = { config: Pick<Config, "isRateLimited">; clock: Clock };

/**
 * Counts one try and throws when the limit is exceeded. Call it before the try, so that simultaneous tries all count.
 *
 * @param db the pool, or the transaction of the limited operation: then a roll-back also takes the count back.
 * @param by what the limit counts by: a customer's id, `clientKey(request.ip)`, or several of these.
 * @throws AppError `RATE_LIMITED` with `retryAfterSeconds`.
 */
export async function countTry(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<void> {
  const wait = await countTryQuietly(deps, db, rule, ...by);
  if (wait !== undefined) throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: wait } });
}

/** Like `countTry`, but returns the seconds to wait instead of throwing; undefined when the try is allowed. */
export async function countTryQuietly(
  deps: RateDeps,
  db: Queryable,
  rule: RateRule,
  ...by: string[]
): Promise<number | undefined> {
  const count = await countTryWithRest(deps, db, rule, ...by);
  return count?.isOver === true ? count.resetSeconds : undefined;
}

/** State of a limit after a try. */
export type TryCount = { isOver: boolean; left: number; resetSeconds: number };

/** Like `countTry`, but returns the state of the limit instead of throwing; undefined when limits are off. */
export async function countTryWithRest(
  deps: RateDeps,
  db: Queryable,
  rule: RateRule,
  ...by: string[]
): Promise<TryCount | undefined> {
  if (!isLimited(deps, by)) return undefined;
  const now = deps.clock.now();
  const { hits, resetsAt } = await insertHit(db, keyHash(rule, by), now, new Date(now.getTime() + rule.windowMs));
  return countOf(rule, hits, resetsAt, now);
}

function countOf(rule: RateRule, hits: number, resetsAt: Date, now: Date): TryCount {
  return {
    isOver: hits > rule.hitsMax,
    left: Math.max(0, rule.hitsMax - hits),
    resetSeconds: secondsUntil(resetsAt, now),
  };
}

type Tried = RateDeps & { db: Db; rule: RateRule; by: string };

/** By the key that is counted. */
const triesTogether = new SharedWork<Tried, TryCount>({
  itemsMax: 1_000,
  waitingMax: 10_000,
  work: async (tries) => {
    const last = tries.at(-1);
    assert(last !== undefined);
    const { clock, db, rule, by } = last;
    const now = clock.now();
    const windowEndsAt = new Date(now.getTime() + rule.windowMs);
    const { hits, resetsAt } = await insertHit(db, keyHash(rule, [by]), now, windowEndsAt, tries.length);
    return tries.map((_, place) => countOf(rule, hits - tries.length + place + 1, resetsAt, now));
  },
});

/**
 * As `countTryWithRest`, for what comes by the thousand a second: tries of one key at the same moment are counted by one statement, each for
 * itself. All processes together still hold the limit exactly.
 */
export async function countTryTogether(
  deps: RateDeps & { db: Db },
  rule: RateRule,
  by: string,
): Promise<TryCount | undefined> {
  if (!isLimited(deps, [by])) return undefined;
  // A database of its own for each test; a process has one.
  return await triesTogether.ask(`${deps.db.options.database} ${rule.name} ${rule.hitsMax} ${by}`, {
    ...deps,
    rule,
    by,
  });
}

/**
 * Checks a limit without counting, for calls that are limited by the tries of other calls.
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

/** Like `assertTriesLeft`, but returns the answer instead of throwing. */
export async function hasTriesLeft(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<boolean> {
  if (!isLimited(deps, by)) return true;
  return (await findHits(db, keyHash(rule, by), deps.clock.now())).hits < rule.hitsMax;
}

/** Undoes one `countTry` when the counted try could not be made. */
export async function giveTryBack(deps: RateDeps, db: Queryable, rule: RateRule, ...by: string[]): Promise<void> {
  if (deps.config.isRateLimited) await takeHitBack(db, keyHash(rule, by));
}

/** Forgets the tries: the right password shows that the owner made the wrong ones. */
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
