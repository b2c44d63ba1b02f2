import { AppError } from "../../base/errors.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * @property placesPerKeyMax how many pieces of work of one key (an address, a customer) run at a time.
 * @property waitingPerKeyMax how many of one key may wait.
 */
export type GateSettings = {
  placesMax: number;
  waitingMax: number;
  placesPerKeyMax?: number;
  waitingPerKeyMax?: number;
};

/** Work without a key counts towards the totals only. */
type Key = string | undefined;

/**
 * Bounds how much work of one kind runs and waits in this process. Work of one key runs in order, and keys take turns:
 * a customer with a hundred requests waits for a hundred, everybody else waits for one.
 */
export class Gate {
  readonly #settings: Required<GateSettings>;
  /** Waiting work by key, in the order of the turns. */
  readonly #waiting = new Map<Key, (() => void)[]>();
  readonly #workingByKey = new Map<Key, number>();
  #waitingCount = 0;
  #workingCount = 0;

  constructor(settings: GateSettings) {
    this.#settings = { placesPerKeyMax: settings.placesMax, waitingPerKeyMax: settings.waitingMax, ...settings };
  }

  /**
   * @param key the address or customer that the work is for.
   * @throws AppError `UNAVAILABLE` when too many wait already, for this key or in total; the work was not started.
   */
  async run<Result>(work: () => Promise<Result>, key?: string): Promise<Result> {
    await this.#enter(key);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  async #enter(key: Key): Promise<void> {
    if (this.#workingCount < this.#settings.placesMax && this.#isKeyFree(key)) {
      this.#begin(key);
      return;
    }
    const queue = this.#waiting.get(key) ?? [];
    const isKeyFull = key !== undefined && queue.length >= this.#settings.waitingPerKeyMax;
    if (isKeyFull || this.#waitingCount >= this.#settings.waitingMax) {
      const message = "We are busy. Please try again in a few seconds";
      throw new AppError("UNAVAILABLE", { message, extra: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    this.#waiting.set(key, queue);
    this.#waitingCount += 1;
    await promise;
  }

  #leave(key: Key): void {
    const left = (this.#workingByKey.get(key) ?? 1) - 1;
    if (left === 0) this.#workingByKey.delete(key);
    else this.#workingByKey.set(key, left);
    this.#workingCount -= 1;
    const next = [...this.#waiting.keys()].find((waiting) => this.#isKeyFree(waiting));
    const queue = this.#waiting.get(next);
    if (queue === undefined) return;
    // This key goes to the end of the turns.
    this.#waiting.delete(next);
    const resolve = queue.shift();
    if (queue.length > 0) this.#waiting.set(next, queue);
    this.#waitingCount -= 1;
    this.#begin(next);
    resolve?.();
  }

  #begin(key: Key): void {
    this.#workingCount += 1;
    this.#workingByKey.set(key, (this.#workingByKey.get(key) ?? 0) + 1);
  }

  #isKeyFree(key: Key): boolean {
    return key === undefined || (this.#workingByKey.get(key) ?? 0) < this.#settings.placesPerKeyMax;
  }
}
