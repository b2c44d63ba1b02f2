import { notify } from "../db/notify.ts";
import type { Queryable } from "../db/pool.ts";
import { audienceName, EVENT_CHANNEL, writeChange, writeSessionEnd } from "./change.ts";
import type { Change, SessionEnd } from "./change.ts";

/**
 * Tells the open pages that something changed, from inside the transaction that changes it: PostgreSQL delivers the
 * hints after the commit, and not at all after a roll-back. Repeating one within a transaction costs nothing.
 */
export async function publishChange(tx: Queryable, ...changes: Change[]): Promise<void> {
  await notify(
    tx,
    EVENT_CHANNEL,
    changes.map((change) => writeChange(audienceName(change), change.topics)),
  );
}

/** Ends the open streams of sessions that this transaction ends (sign-out, block, password change), in every process. */
export async function publishSessionEnd(tx: Queryable, end: SessionEnd): Promise<void> {
  await notify(tx, EVENT_CHANNEL, [writeSessionEnd(end)]);
}
