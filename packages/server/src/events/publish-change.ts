import type { Queryable } from "../db/pool.ts";
import { audienceName, EVENT_CHANNEL, writeChange, writeSessionEnd } from "./change.ts";
import type { Change, SessionEnd } from "./change.ts";

/**
 * Tells the open pages that something changed, from inside the transaction that changes it: PostgreSQL delivers the
 * hint after the commit, and not at all after a roll-back. Repeating it within one transaction costs nothing.
 */
export async function publishChange(tx: Queryable, change: Change): Promise<void> {
  await notify(tx, writeChange(audienceName(change), change.topics));
}

/** Ends the open streams of sessions that this transaction ends (sign-out, block, password change), in every process. */
export async function publishSessionEnd(tx: Queryable, end: SessionEnd): Promise<void> {
  await notify(tx, writeSessionEnd(end));
}

async function notify(tx: Queryable, payload: string): Promise<void> {
  await tx.query("select pg_notify($1, $2)", [EVENT_CHANNEL, payload]);
}
