/**
 * Pauses between attempts: full jitter, random(0, min(longest, base x 2^n)), so that a thousand clients of a carrier
 * that comes back do not knock together.
 */
export class Backoff {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #attempts = 0;

  constructor(options: { baseMs: number; maxMs: number; random?: () => number }) {
    this.#baseMs = options.baseMs;
    this.#maxMs = options.maxMs;
    this.#random = options.random ?? Math.random;
  }

  nextDelayMs(): number {
    const ceilingMs = Math.min(this.#maxMs, this.#baseMs * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 30);
    return Math.floor(this.#random() * ceilingMs);
  }

  /** For what waiting a little cannot cure: somewhere in the upper half of the longest pause. */
  longDelayMs(): number {
    return Math.floor(this.#maxMs * (0.5 + this.#random() / 2));
  }

  reset(): void {
    this.#attempts = 0;
  }
}

/**
 * How long a submit that was refused for the rate stays away: 200 to 500 ms at random, so that a window full of
 * refusals does not come back as one lump.
 */
export function retryDelayMs(random: () => number = Math.random): number {
  return 200 + Math.floor(random() * 300);
}
