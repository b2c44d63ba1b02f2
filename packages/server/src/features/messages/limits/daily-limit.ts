import type { DailyLimitAnswer } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { customerChanged, publishChange } from "../../../events/index.ts";
import { addUnitsToDay, findCustomer, findUsedMilli, type UnitUse } from "../../accounts/index.ts";
import { addToDay, findDailyLimit, selectDailyLimits, upsertDailyLimit, type DailyUse } from "./daily-limit-store.ts";

/** The day of most customers; it has no summer time. */
const DAY_TIME_ZONE = "Africa/Lagos";
const DAY_FORMAT = new Intl.DateTimeFormat("en-CA", { timeZone: DAY_TIME_ZONE, dateStyle: "short" });

type LimitDeps = Pick<Deps, "config">;

/**
 * Checks whether a send fits into the customer's day, without a lock: `countTowardsDailyLimit` decides.
 *
 * @param send recipients that will be sent to and are not counted yet.
 * @returns what `countTowardsDailyLimit` counts.
 * @throws AppError `LIMIT_REACHED`.
 */
export async function checkDailyLimit(
  deps: LimitDeps,
  tx: Tx,
  send: { userId: string; code: string; recipients: number; now: Date },
): Promise<DailyUse> {
  const { userId, code, recipients, now } = send;
  const use = { userId, code, recipients, day: DAY_FORMAT.format(now), defaultMax: deps.config.dailyRecipientsMax };
  const limit = await findDailyLimit(tx, use, use.day);
  const recipientsMax = limit?.recipientsMax ?? use.defaultMax;
  if (recipients > 0 && (limit?.usedToday ?? 0) + recipients > recipientsMax) throw limitReached(code);
  return use;
}

/**
 * Counts a send towards the limit. A message that is cancelled later stays counted; a scheduled one counts on the day on which it
 * is scheduled.
 *
 * @param tx locks the customer's row for the country until it ends; only the account is locked after it.
 * @throws AppError `LIMIT_REACHED` when another send has taken what was left since `checkDailyLimit`.
 */
export async function countTowardsDailyLimit(tx: Tx, use: DailyUse): Promise<void> {
  if (use.recipients > 0 && !(await addToDay(tx, use))) throw limitReached(use.code);
}

/**
 * Checks whether a send fits into what a sub-account may spend in a day, without a lock: `countTowardsUnitCap` decides.
 *
 * @param send amountMilli that is not counted yet; capMilli null: no cap.
 * @returns what `countTowardsUnitCap` counts; undefined without a cap.
 * @throws AppError `LIMIT_REACHED`.
 */
export async function checkUnitCap(
  tx: Tx,
  { capMilli, now, ...send }: { userId: string; capMilli: number | null; amountMilli: number; now: Date },
): Promise<UnitUse | undefined> {
  if (capMilli === null) return undefined;
  const use = { ...send, capMilli, day: DAY_FORMAT.format(now) };
  if (use.amountMilli > 0 && (await findUsedMilli(tx, use.userId, use.day)) + use.amountMilli > capMilli)
    throw capReached();
  return use;
}

/** As `countTowardsDailyLimit`: units that come back stay counted. @throws AppError `LIMIT_REACHED`. */
export async function countTowardsUnitCap(tx: Tx, use: UnitUse | undefined): Promise<void> {
  if (use !== undefined && use.amountMilli > 0 && !(await addUnitsToDay(tx, use))) throw capReached();
}

function capReached(): AppError {
  return new AppError("LIMIT_REACHED", { message: "This account may spend no more units today" });
}

/**
 * @param limit recipientsMax undefined: the limit of the configuration holds again.
 * @returns the customer's own limit before.
 */
export async function setOwnDailyLimit(
  tx: Tx,
  limit: { userId: string; code: string; recipientsMax: number | undefined },
): Promise<number | undefined> {
  return (await upsertDailyLimit(tx, limit, limit.recipientsMax ?? null)) ?? undefined;
}

type LimitChange = { adminId: string; userId: string; clientAddress: string };

/**
 * An administrator gives a customer a daily limit of their own, or takes it back (null).
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function changeDailyLimit(
  deps: Deps,
  { userId, code, recipientsMax, ...who }: LimitChange & { code: string; recipientsMax: number | null },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if ((await findCustomer(tx, userId)) === undefined) throw new AppError("NOT_FOUND");
    const before = await setOwnDailyLimit(tx, { userId, code, recipientsMax: recipientsMax ?? undefined });
    await deps.recordAudit(tx, {
      ...who,
      action: "set-daily-limit",
      subjectId: userId,
      before: { code, recipientsMax: before ?? null },
      after: { code, recipientsMax },
    });
    await publishChange(tx, customerChanged(userId));
  });
}

export async function listDailyLimits(
  deps: LimitDeps,
  db: Queryable,
  userId: string,
  now: Date,
): Promise<DailyLimitAnswer[]> {
  const limits = await selectDailyLimits(db, userId, DAY_FORMAT.format(now));
  return limits.map(({ code, recipientsMax, usedToday }) => ({
    code,
    recipientsMax: recipientsMax ?? deps.config.dailyRecipientsMax,
    isOwn: recipientsMax !== null,
    usedToday,
  }));
}

function limitReached(code: string): AppError {
  return new AppError("LIMIT_REACHED", { message: `Your account's daily limit for numbers with ${code} is reached` });
}
