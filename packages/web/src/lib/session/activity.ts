/**
 * Whether the person is there. Reads that a pushed change or a timer causes while nobody touches anything are marked as
 * background, so that an open page does not keep a session alive for ever.
 */

/** A read this soon after a key or a movement is counted as the person's own; see `announceEveryMs` in `inactivity.ts`. */
const PERSONAL_READ_MS = 40_000;

let lastActiveMs = Number.POSITIVE_INFINITY;

/** @param atMs a time of another tab may be older than what is known; the newer one counts. */
export function noteActivity(atMs: number): void {
  lastActiveMs = lastActiveMs === Number.POSITIVE_INFINITY ? atMs : Math.max(lastActiveMs, atMs);
}

/** Until the next `noteActivity` every read counts as the person's own, as on the pages before sign-in. */
export function forgetActivity(): void {
  lastActiveMs = Number.POSITIVE_INFINITY;
}

export function getLastActiveMs(): number {
  return lastActiveMs;
}

export function isPersonThere(nowMs: number = Date.now()): boolean {
  return nowMs - lastActiveMs < PERSONAL_READ_MS;
}
