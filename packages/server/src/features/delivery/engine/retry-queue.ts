/**
 * Hand-overs that a carrier sent back, until their pause is over. Bounded by the carrier's unrecorded limit, so a sweep
 * over all of them twenty times a second costs less than keeping them sorted.
 */
import type { Handover, LiveBatch } from "./live-batch.ts";

export class RetryQueue {
  #waiting: { handover: Handover; dueAtMs: number }[] = [];
  #ready: Handover[] = [];

  get size(): number {
    return this.#waiting.length + this.#ready.length;
  }

  get readyCount(): number {
    return this.#ready.length;
  }

  add(handover: Handover, dueAtMs: number): void {
    this.#waiting.push({ handover, dueAtMs });
  }

  addReady(handover: Handover): void {
    this.#ready.push(handover);
  }

  /** Moves what is due to where `takeReady` finds it. */
  sweep(nowMs: number): void {
    if (this.#waiting.length === 0) return;
    const due = this.#waiting.filter((entry) => entry.dueAtMs <= nowMs);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((entry) => entry.dueAtMs > nowMs);
    for (const { handover } of due) this.#ready.push(handover);
  }

  takeReady(): Handover | undefined {
    return this.#ready.pop();
  }

  has(batch: LiveBatch): boolean {
    return (
      this.#ready.some((handover) => handover.batch === batch) ||
      this.#waiting.some(({ handover }) => handover.batch === batch)
    );
  }

  /** Takes out everything, or everything of one batch. */
  drain(batch?: LiveBatch): Handover[] {
    const all = [...this.#ready, ...this.#waiting.map(({ handover }) => handover)];
    if (batch === undefined) {
      this.#ready = [];
      this.#waiting = [];
      return all;
    }
    this.#ready = this.#ready.filter((handover) => handover.batch !== batch);
    this.#waiting = this.#waiting.filter(({ handover }) => handover.batch !== batch);
    return all.filter((handover) => handover.batch === batch);
  }
}
