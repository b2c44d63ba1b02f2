import { AppError } from "../errors.ts";

const RETRY_AFTER_SECONDS = 5;

export type GateSettings = { placesMax: number; waitingMax: number };

/** Lets a few of one kind of work go on at a time in this process, and a bounded number wait, in order. */
export class Gate {
  readonly #settings: GateSettings;
  readonly #waiting: (() => void)[] = [];
  #workingCount = 0;

  constructor(settings: GateSettings) {
    this.#settings = settings;
  }

  /** @throws AppError `UNAVAILABLE` when too many wait already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever waits first takes over this place.
      if (next === undefined) this.#workingCount -= 1;
      else next();
    }
  }

  async #enter(): Promise<void> {
    if (this.#workingCount < this.#settings.placesMax) {
      this.#workingCount += 1;
      return;
    }
    if (this.#waiting.length >= this.#settings.waitingMax) {
      const message = "Much is being taken in at this moment. Please try again in a few seconds";
      throw new AppError("UNAVAILABLE", { message, extra: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }
}
