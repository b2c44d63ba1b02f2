/** What may have gone out of one batch, as the last committed intents of this process say. */
export type HandedOver = {
  userId: string;
  messageId: string;
  batchIndex: number;
  attempt: number;
  /** Offsets below this may have been handed over, except `redo`. */
  intentCount: number;
  redo: readonly number[];
};

/** A standby that is promoted may lack as much of the past as this; what is older is not written back. */
const REMEMBERED_MS = 60_000;
/** About 20 MB; reached by 1,600 small sends a second. */
const BATCHES_MAX = 100_000;

type Remembered = HandedOver & { atMs: number };

/**
 * What this process has committed intents for lately. A server that takes over from a lost one may know less: what it lacks is
 * written back, so that nobody gets a message twice.
 */
export class HandedOverMemory {
  /** In the order of their last change. */
  readonly #batches = new Map<string, Remembered>();

  /** Before anything is handed over by these intents. */
  remember(handedOver: HandedOver): void {
    if (handedOver.intentCount === 0) return;
    const { userId, messageId, batchIndex, attempt, intentCount, redo } = handedOver;
    const name = `${messageId}:${batchIndex}`;
    this.#batches.delete(name);
    this.#batches.set(name, { userId, messageId, batchIndex, attempt, intentCount, redo, atMs: performance.now() });
    if (this.#batches.size > BATCHES_MAX) this.#forgetOldest();
  }

  forgetOld(): void {
    const oldestMs = performance.now() - REMEMBERED_MS;
    for (const [name, { atMs }] of this.#batches) {
      if (atMs >= oldestMs) return;
      this.#batches.delete(name);
    }
  }

  get all(): readonly HandedOver[] {
    return [...this.#batches.values()];
  }

  #forgetOldest(): void {
    for (const name of this.#batches.keys()) {
      this.#batches.delete(name);
      return;
    }
  }
}
