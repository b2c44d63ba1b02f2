import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange } from "../../../events/index.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { lockCredentials, updateApproved, updateBlocked } from "./user-store.ts";

/** Who it was done to, and whether anything changed: doing it twice is doing it once. */
export type FlagChange = { userName: string; isChanged: boolean };

/**
 * Locks a customer out, or lets them in again. Of a blocked customer every session and open stream is over, signing in and
 * sending answer `BLOCKED`, and scheduled messages wait; what was accepted before goes on.
 *
 * @param tx holds the customer's row: a sign-in at the same moment waits, and is then refused.
 * @throws AppError `NOT_FOUND`.
 */
export async function setBlocked(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  userId: string,
  isBlocked: boolean,
): Promise<FlagChange> {
  const { userName } = await getLocked(tx, userId);
  const isChanged = await updateBlocked(tx, userId, isBlocked ? deps.clock.now() : null);
  if (isChanged && isBlocked) await endSessionsOf(tx, { kind: "user", actorId: userId });
  return await told(tx, userId, { userName, isChanged });
}

/** Gives a customer the "Approved" badge, or takes it away. @throws AppError `NOT_FOUND`. */
export async function setApproved(tx: Tx, userId: string, isApproved: boolean): Promise<FlagChange> {
  const { userName } = await getLocked(tx, userId);
  return await told(tx, userId, { userName, isChanged: await updateApproved(tx, userId, isApproved) });
}

async function getLocked(tx: Tx, userId: string): Promise<{ userName: string }> {
  const user = await lockCredentials(tx, userId);
  if (user === undefined) throw new AppError("NOT_FOUND");
  return user;
}

async function told(tx: Tx, userId: string, change: FlagChange): Promise<FlagChange> {
  if (change.isChanged) await publishChange(tx, { userId, topics: ["user"] }, { admin: true, topics: ["admin"] });
  return change;
}
