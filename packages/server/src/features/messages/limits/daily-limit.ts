import type { DailyLimitAnswer } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { findCap, selectCapsOf, upsertCap, useCap, type CapUse } from "./daily-limit-store.ts";

/** The day of the customers, most of whom are here; it has no summer time. */
const DAY_TIME_ZONE = "Africa/Lagos";
const DAY_FORMAT = new Intl.DateTimeFormat("en-CA", { timeZone: DAY_TIME_ZONE, dateStyle: "short" });

type CapDeps = Pick<Deps, "config">;

/**
 * Looks whether a send fits into the customer's day, at the place that the limit has in the order of checks, without holding
 * anybody up: `countTowardsCap` decides.
 *
 * @param send recipients that will be sent to and are not counted yet.
 * @returns what is to be counted.
 * @throws AppError `LIMIT_REACHED`.
 */
export async function checkCap(
  deps: CapDeps,
  tx: Tx,
  send: { userId: string; code: string; recipients: number; now: Date },
): Promise<CapUse> {
  const { userId, code, recipients, now } = send;
  const use = { userId, code, recipients, day: DAY_FORMAT.format(now), defaultMax: deps.config.dailyRecipientsMax };
  const cap = await findCap(tx, use, use.day);
  const recipientsMax = cap?.recipientsMax ?? use.defaultMax;
  if (recipients > 0 && (cap?.usedToday ?? 0) + recipients > recipientsMax) throw limitReached(code);
  return use;
}

/**
 * Counts a send towards the limit. What was given up later stays counted, and a scheduled message counts on the day it is scheduled.
 *
 * @param tx locks the customer's row for the country until it ends; only the account is locked after it.
 * @throws AppError `LIMIT_REACHED` when another send has taken what was left since `checkCap`.
 */
export async function countTowardsCap(tx: Tx, use: CapUse): Promise<void> {
  if (use.recipients > 0 && !(await useCap(tx, use))) throw limitReached(use.code);
}

/**
 * @param cap recipientsMax undefined gives the limit of the configuration back.
 * @returns the customer's own limit before.
 */
export async function setDailyCap(
  tx: Tx,
  cap: { userId: string; code: string; recipientsMax: number | undefined },
): Promise<number | undefined> {
  return (await upsertCap(tx, cap, cap.recipientsMax ?? null)) ?? undefined;
}

export async function listDailyLimits(
  deps: CapDeps,
  db: Queryable,
  userId: string,
  now: Date,
): Promise<DailyLimitAnswer[]> {
  const caps = await selectCapsOf(db, userId, DAY_FORMAT.format(now));
  return caps.map(({ code, recipientsMax, usedToday }) => ({
    code,
    recipientsMax: recipientsMax ?? deps.config.dailyRecipientsMax,
    isOwn: recipientsMax !== null,
    usedToday,
  }));
}

function limitReached(code: string): AppError {
  return new AppError("LIMIT_REACHED", { message: `Your account's daily limit for numbers with ${code} is reached` });
}
