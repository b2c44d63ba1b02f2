/** Burst at most: a carrier counts over short spans too, and refuses what comes at once after a pause. */
const burstMs = 50;

/** What the bucket may hold, and how the rate answers to refusals. Each figure was measured; see the README. */
const cutEveryMs = 200;
const cutTo = 0.9;
const acceptedSpanMs = 250;
const growEveryMs = 50;
const growBy = 1.05;
/** Beyond the rate at which the carrier last refused: 0.1 % in 50 ms is 2 % a second. */
const probeBy = 1.001;
const cellMs = 10;
const cellCount = 32;

/**
 * The pace of one bind: a token bucket under a ceiling, whose rate shrinks when the carrier asks for less and grows
 * back. Pure: all times are given, in milliseconds of one monotonic clock.
 */
export class Pace {
  #ceiling: number;
  #rate: number;
  /** The rate at which the carrier last refused; growth is fast below it and slow above. */
  #refusedRate = Number.POSITIVE_INFINITY;
  #tokens: number;
  #refilledAtMs: number;
  #grownAtMs: number;
  #cutAtMs = Number.NEGATIVE_INFINITY;
  readonly #accepted = new Uint32Array(cellCount);
  #acceptedCell = 0;
  readonly #startedAtMs: number;

  /** @param messagesPerSecond the contract rate, above 0. */
  constructor(messagesPerSecond: number, nowMs: number) {
    assertRate(messagesPerSecond);
    this.#ceiling = messagesPerSecond;
    this.#rate = messagesPerSecond;
    this.#tokens = 1;
    this.#refilledAtMs = nowMs;
    this.#grownAtMs = nowMs;
    this.#startedAtMs = nowMs;
  }

  get messagesPerSecond(): number {
    return this.#rate;
  }

  /** Changes the ceiling, e.g. when workers share a carrier's rate anew. What was learned from refusals stays. */
  setCeiling(messagesPerSecond: number): void {
    assertRate(messagesPerSecond);
    const wasAtCeiling = this.#rate >= this.#ceiling;
    this.#ceiling = messagesPerSecond;
    this.#rate = wasAtCeiling ? messagesPerSecond : Math.min(this.#rate, messagesPerSecond);
  }

  /** Whether a message may go now. */
  hasToken(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= 1;
  }

  /** Takes the token that `hasToken` has seen. */
  take(): void {
    this.#tokens -= 1;
  }

  /** How long until there is a token: 0 when there is one. */
  delayMs(nowMs: number): number {
    this.#refill(nowMs);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 1000) / this.#rate);
  }

  onAccepted(nowMs: number): void {
    this.#turnCells(nowMs);
    const cell = this.#acceptedCell % cellCount;
    this.#accepted[cell] = (this.#accepted[cell] ?? 0) + 1;
  }

  /**
   * The carrier refused because of the rate.
   *
   * @returns whether the rate was cut; it is cut at most once in 200 ms, as one excess brings a window full of refusals.
   */
  onThrottled(nowMs: number): boolean {
    if (nowMs - this.#cutAtMs < cutEveryMs) return false;
    this.#refill(nowMs);
    this.#cutAtMs = nowMs;
    this.#grownAtMs = nowMs;
    this.#refusedRate = this.#rate;
    this.#rate = Math.min(this.#rate * cutTo, Math.max(this.#acceptedRate(nowMs) * cutTo, slowest(this.#ceiling)));
    this.#tokens = Math.min(this.#tokens, 0);
    return true;
  }

  #refill(nowMs: number): void {
    const elapsedMs = nowMs - this.#refilledAtMs;
    if (elapsedMs <= 0) return;
    this.#grow(nowMs);
    this.#refilledAtMs = nowMs;
    const room = Math.max(1, (this.#rate * burstMs) / 1000);
    this.#tokens = Math.min(room, this.#tokens + (elapsedMs * this.#rate) / 1000);
  }

  #grow(nowMs: number): void {
    const steps = Math.floor((nowMs - this.#grownAtMs) / growEveryMs);
    if (steps <= 0) return;
    this.#grownAtMs += steps * growEveryMs;
    if (this.#rate >= this.#ceiling) return;
    // A minute of silence is 1,200 steps; more change nothing.
    for (let step = 0; step < Math.min(steps, 1200); step += 1) {
      const isBelowRefused = this.#rate * growBy < this.#refusedRate;
      this.#rate = Math.min(this.#ceiling, this.#rate * (isBelowRefused ? growBy : probeBy));
    }
  }

  /** Accepted messages a second over the last 250 ms. */
  #acceptedRate(nowMs: number): number {
    this.#turnCells(nowMs);
    const cells = acceptedSpanMs / cellMs;
    let sum = 0;
    for (let back = 0; back < cells; back += 1) {
      sum += this.#accepted[(this.#acceptedCell - back + cellCount * 2) % cellCount] ?? 0;
    }
    const spanMs = Math.max(Math.min(acceptedSpanMs, nowMs - this.#startedAtMs), burstMs);
    return (sum * 1000) / spanMs;
  }

  #turnCells(nowMs: number): void {
    const cell = Math.max(this.#acceptedCell, Math.floor((nowMs - this.#startedAtMs) / cellMs));
    const turned = Math.min(cell - this.#acceptedCell, cellCount);
    for (let ahead = 0; ahead < turned; ahead += 1) this.#accepted[(cell - ahead) % cellCount] = 0;
    this.#acceptedCell = cell;
  }
}

/** Never slower than a hundredth of the contract, or one message in ten seconds. */
function slowest(ceiling: number): number {
  return Math.max(ceiling / 100, 0.1);
}

function assertRate(messagesPerSecond: number): void {
  if (!(messagesPerSecond > 0) || !Number.isFinite(messagesPerSecond)) {
    throw new RangeError(`a rate of ${messagesPerSecond} messages a second`);
  }
}
