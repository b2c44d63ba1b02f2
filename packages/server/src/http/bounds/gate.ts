import { AppError } from "../../base/errors.ts";

const RETRY_AFTER_SECONDS = 5;

/** @property placesPerKeyMax how many of the places, and of those who wait, may be of one key: an address, a customer. */
export type GateSettings = {
  placesMax: number;
  waitingMax: number;
  placesPerKeyMax?: number;
  waitingPerKeyMax?: number;
};

/** What has no key counts together and is bounded by the whole alone. */
type Key = string | undefined;

/**
 * Lets a few of one kind of work go on at a time in this process, and a bounded number wait: of one key in order, of several
 * keys in turn, so that who asks a hundred times waits for the hundred and everybody else for one.
 */
export class Gate {
  readonly #settings: Required<GateSettings>;
  /** By key; the key whose turn is next stands first. */
  readonly #waiting = new Map<Key, (() => void)[]>();
  readonly #workingByKey = new Map<Key, number>();
  #waitingCount = 0;
  #workingCount = 0;

  constructor(settings: GateSettings) {
    this.#settings = { placesPerKeyMax: settings.placesMax, waitingPerKeyMax: settings.waitingMax, ...settings };
  }

  /**
   * @param key whose work it is; undefined: nobody's in particular.
   * @throws AppError `UNAVAILABLE` when too many wait already, of this key or in all; the work was not begun.
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
      const message = "Much is being taken in at this moment. Please try again in a few seconds";
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
    // To the end of the turns: another key comes before the next of this one.
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
