/**
 * How many calls a second a program may make: 100 for each API key, unless administrators gave its customer another number.
 * The dashboard's sends and the GET form have the same limit, for the customer. It is asked before any body is read.
 */
import { limits } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { countTry, countTryWithRest, type RateRule, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { findCallLimit } from "../../accounts/index.ts";

type LimitDeps = Pick<Deps, "config" | "db" | "clock">;

/**
 * Counts a call of a program, and says on its answer how the limit stands: `RateLimit-Policy` and `RateLimit` of
 * draft-ietf-httpapi-ratelimit-headers-10. Nothing is said while `RATE_LIMITS` is off.
 *
 * @param program perSecond: its customer's own limit, null for everybody's.
 * @throws AppError `RATE_LIMITED` with `retryAfterSeconds`.
 */
export async function countProgramCall(
  deps: LimitDeps,
  reply: FastifyReply,
  program: { keyId: string; perSecond: number | null },
): Promise<void> {
  const rule = ruleFor(program.perSecond);
  const count = await countTryWithRest(deps, deps.db, rule, program.keyId);
  if (count === undefined) return;
  void reply
    .header("ratelimit-policy", `"key";q=${rule.hitsMax};w=1`)
    .header("ratelimit", `"key";r=${count.left};t=${count.resetSeconds}`);
  if (count.isOver) throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: count.resetSeconds } });
}

/** @throws AppError `RATE_LIMITED` with `retryAfterSeconds`. */
export async function countSend(deps: LimitDeps, userId: string): Promise<void> {
  if (!deps.config.isRateLimited) return;
  await countTry(deps, deps.db, ruleFor(await findCallLimit(deps.db, userId)), userId);
}

/** A hook for routes with the customer's id in the path, behind the guard that compared it. */
export function limitSends(deps: LimitDeps) {
  return async (request: FastifyRequest): Promise<void> =>
    await countSend(deps, (request.params as { userId: string }).userId);
}

export function callsPerSecondOf(perSecond: number | null): number {
  return perSecond ?? limits.callsPerSecond;
}

function ruleFor(perSecond: number | null): RateRule {
  return { ...rateRules.calls, hitsMax: callsPerSecondOf(perSecond) };
}
