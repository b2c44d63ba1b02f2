/**
 * Whose reports wait. While a send to hundreds of thousands keeps the worker's thread busy, telling of each report at once would take from the engine
 * as much again as the report itself. So a stream of reports lies in the feed while the thread is busy, apart from a piece now and then, and goes on
 * once the thread has room. No report waits longer than LAG_MAX_MS for that, and a customer with few reports does not wait at all.
 */
import { performance } from "node:perf_hooks";
import type { FeedCustomer } from "../../delivery/index.ts";
import type { ToldCustomer } from "./collect-reports.ts";

/** Of the thread's time. An engine at its limit takes 65 to 100 %; at a carrier's pace it takes a few. */
const BUSY_SHARE = 0.5;
/** How much of the share comes from the last look, so that one look between two flushes does not decide. */
const LAST_WEIGHT = 0.5;
/** Who has as many in one look has a stream. */
const STREAM_REPORTS = 1_000;
/** How far apart pieces of a held stream are told. */
const HOLD_MS = 10_000;
/** From the recording of a report. */
const LAG_MAX_MS = 45_000;

export class HeldStreams {
  readonly #untilMs = new Map<string, number>();
  #seen = performance.eventLoopUtilization();
  #busyShare = 0;

  /** Looks how busy the thread was since the last call; call it a few times a second. A thread with room holds nobody. */
  look(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#seen);
    this.#seen = now;
    this.#busyShare += LAST_WEIGHT * (utilization - this.#busyShare);
    if (!this.#isBusy) this.#untilMs.clear();
  }

  get #isBusy(): boolean {
    return this.#busyShare > BUSY_SHARE;
  }

  isHeld({ userId, oldestMs }: FeedCustomer): boolean {
    return oldestMs < LAG_MAX_MS && performance.now() < (this.#untilMs.get(userId) ?? 0);
  }

  /** A piece was told. @returns whether the rest waits. */
  hold({ userId, oldestMs, reportCount }: ToldCustomer): boolean {
    if (!this.#isBusy || reportCount < STREAM_REPORTS || oldestMs >= LAG_MAX_MS) return false;
    this.#untilMs.set(userId, performance.now() + HOLD_MS);
    return true;
  }
}
