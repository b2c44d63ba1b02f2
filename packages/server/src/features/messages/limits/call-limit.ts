/**
 * How many calls a second a program may make: 100 for each API key, unless administrators gave its customer another number.
 * The dashboard's sends and the GET form have the same limit, for the customer. It is checked before any body is read.
 */
import { limits } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { callLimitChanged, customerChanged, publishChange } from "../../../events/index.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTry, countTryTogether, type RateRule, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { findCallLimit, updateCallLimit, updateMaySendTransactional } from "../../accounts/index.ts";

type LimitDeps = Pick<Deps, "config" | "db" | "clock">;

/** Where a program's key stands within the second. */
export type CallCount = { callsMax: number; left: number; resetSeconds: number; isOver: boolean };

/**
 * Counts a call of a program.
 *
 * @param program perSecond: its customer's own limit, null for everybody's.
 * @returns undefined while `RATE_LIMITS` is off.
 */
export async function countProgramCall(
  deps: LimitDeps,
  program: { keyId: string; perSecond: number | null },
): Promise<CallCount | undefined> {
  const rule = ruleFor(program.perSecond);
  const count = await countTryTogether(deps, rule, program.keyId);
  return count && { ...count, callsMax: rule.hitsMax };
}

/** Counts a call without a living key by its address, with the limit of everybody. @returns undefined while `RATE_LIMITS` is off. */
export async function countStrangersCall(deps: LimitDeps, clientAddress: string): Promise<CallCount | undefined> {
  return await countProgramCall(deps, { keyId: `from ${clientKey(clientAddress)}`, perSecond: null });
}

/** @throws AppError `RATE_LIMITED` with `retryAfterSeconds`. */
export async function countSend(deps: LimitDeps, userId: string): Promise<void> {
  if (!deps.config.isRateLimited) return;
  await countTry(deps, deps.db, ruleFor(await findCallLimit(deps.db, userId)), userId);
}

/** A hook for routes with the customer's id in the path, behind the guard that compared it. */
export function limitSends(deps: LimitDeps) {
  return async (request: { params: unknown }): Promise<void> =>
    await countSend(deps, (request.params as { userId: string }).userId);
}

/** How many calls a second the programs of a customer may make. */
export async function readCallLimit(db: Deps["db"], userId: string): Promise<number> {
  return callsPerSecondOf(await findCallLimit(db, userId));
}

/**
 * An administrator gives the programs of a customer a limit of their own, or takes it back (null).
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function changeCallLimit(
  deps: Deps,
  { userId, perSecond, ...who }: { adminId: string; userId: string; perSecond: number | null; clientAddress: string },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const changed = await updateCallLimit(tx, userId, perSecond);
    if (changed === undefined) throw new AppError("NOT_FOUND");
    await deps.recordAudit(tx, {
      ...who,
      action: "set-call-limit",
      subjectId: userId,
      before: { perSecond: changed.before },
      after: { perSecond },
    });
    await publishChange(tx, callLimitChanged());
  });
}

function callsPerSecondOf(perSecond: number | null): number {
  return perSecond ?? limits.callsPerSecond;
}

function ruleFor(perSecond: number | null): RateRule {
  return { ...rateRules.calls, hitsMax: callsPerSecondOf(perSecond) };
}

type TransactionalChange = { adminId: string; userId: string; allowed: boolean; clientAddress: string };

/**
 * An administrator lets a customer send transactional messages, or no longer: what was accepted goes on as what it is. Twice is once.
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function allowTransactional(deps: Deps, { userId, allowed, ...who }: TransactionalChange): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const before = await updateMaySendTransactional(tx, userId, allowed);
    if (before === undefined) throw new AppError("NOT_FOUND");
    if (before === allowed) return;
    await deps.recordAudit(tx, {
      ...who,
      action: "allow-transactional",
      subjectId: userId,
      before: { allowed: before },
      after: { allowed },
    });
    await publishChange(tx, customerChanged(userId));
  });
}
