import type { Deps } from "../../../base/deps.ts";
import type { Session } from "../../../http/session/session.ts";
import type { PasswordOwner } from "../passwords/password-owner.ts";
import { checkSecondFactor, type FactorProof } from "./check-second-factor.ts";
import { findFactor, findFactorAt, markFactorShown } from "./second-factor-store.ts";

/** What a person showed at sign-in or since counts this long in the same session. */
const FRESH_MS = 10 * 60_000;

/**
 * Lets a session go on whose person has no second factor, or showed it within ten minutes; else the code is asked for, and
 * counts for the next ten.
 *
 * @throws AppError as `checkSecondFactor` says.
 */
export async function passFreshSecondFactor(
  deps: Deps,
  owner: PasswordOwner,
  session: Session,
  proof: FactorProof,
): Promise<void> {
  const factor = await findFactor(deps.db, session);
  if (factor?.isOn !== true) return;
  const shownAt = await findFactorAt(deps.db, session.sessionId);
  if (shownAt !== null && deps.clock.now().getTime() - shownAt.getTime() < FRESH_MS) return;
  await checkSecondFactor(deps, owner, session.actorId, proof);
  await markFactorShown(deps.db, session.sessionId, deps.clock.now());
}
