import assert from "node:assert/strict";
import type { Queryable } from "./pool.ts";

/** PostgreSQL refuses payloads of 8,000 bytes and more. */
export const NOTIFY_PAYLOAD_BYTES_MAX = 7_999;

/**
 * Sends hints to whoever listens to the channel. In a transaction they are delivered after its commit, or never; equal
 * ones of one transaction arrive once. Commits that notify queue for one lock of the whole server, so whoever commits
 * hundreds of times a second gathers its hints instead.
 *
 * @param payloads ids and names, never data: they are not stored, and are lost while a listener reconnects.
 */
export async function notify(db: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  for (const payload of payloads) {
    assert(
      Buffer.byteLength(payload) <= NOTIFY_PAYLOAD_BYTES_MAX,
      `A hint of ${Buffer.byteLength(payload)} bytes is too long`,
    );
  }
  await db.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [channel, payloads]);
}
