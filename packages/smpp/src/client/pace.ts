/** Burst at most: a carrier counts over short spans too, and refuses what comes at once after a pause. */
const BURST_MS = 50;

/** What the bucket may hold, and how the rate answers to refusals. Each figure was measured; see the README. */
const CUT_EVERY_MS = 200;
const CUT_TO = 0.9;
const ACCEPTED_SPAN_MS = 250;
const GROW_EVERY_MS = 50;
const GROW_BY = 1.05;
/** Beyond the rate at which the carrier last refused: 0.1 % in 50 ms is 2 % a second. */
const PROBE_BY = 1.001;
const CELL_MS = 10;
const CELL_COUNT = 32;

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
  readonly #accepted = new Uint32Array(CELL_COUNT);
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
    const cell = this.#acceptedCell % CELL_COUNT;
    this.#accepted[cell] = (this.#accepted[cell] ?? 0) + 1;
  }

  /**
   * The carrier refused because of the rate.
   *
   * @returns whether the rate was cut; it is cut at most once in 200 ms, as one excess brings a window full of refusals.
   */
  onThrottled(nowMs: number): boolean {
    if (nowMs - this.#cutAtMs < CUT_EVERY_MS) return false;
    this.#refill(nowMs);
    this.#cutAtMs = nowMs;
    this.#grownAtMs = nowMs;
    this.#refusedRate = this.#rate;
    this.#rate = Math.min(this.#rate * CUT_TO, Math.max(this.#acceptedRate(nowMs) * CUT_TO, slowest(this.#ceiling)));
    this.#tokens = Math.min(this.#tokens, 0);
    return true;
  }

  #refill(nowMs: number): void {
    const elapsedMs = nowMs - this.#refilledAtMs;
    if (elapsedMs <= 0) return;
    this.#grow(nowMs);
    this.#refilledAtMs = nowMs;
    const room = Math.max(1, (this.#rate * BURST_MS) / 1000);
    this.#tokens = Math.min(room, this.#tokens + (elapsedMs * this.#rate) / 1000);
  }

  #grow(nowMs: number): void {
    const steps = Math.floor((nowMs - this.#grownAtMs) / GROW_EVERY_MS);
    if (steps <= 0) return;
    this.#grownAtMs += steps * GROW_EVERY_MS;
    if (this.#rate >= this.#ceiling) return;
    // A minute of silence is 1,200 steps; more change nothing.
    for (let step = 0; step < Math.min(steps, 1200); step += 1) {
      const isBelowRefused = this.#rate * GROW_BY < this.#refusedRate;
      this.#rate = Math.min(this.#ceiling, this.#rate * (isBelowRefused ? GROW_BY : PROBE_BY));
    }
  }

  /** Accepted messages a second over the last 250 ms. */
  #acceptedRate(nowMs: number): number {
    this.#turnCells(nowMs);
    const cells = ACCEPTED_SPAN_MS / CELL_MS;
    let sum = 0;
    for (let back = 0; back < cells; back += 1) {
      sum += this.#accepted[(this.#acceptedCell - back + CELL_COUNT * 2) % CELL_COUNT] ?? 0;
    }
    const spanMs = Math.max(Math.min(ACCEPTED_SPAN_MS, nowMs - this.#startedAtMs), BURST_MS);
    return (sum * 1000) / spanMs;
  }

  #turnCells(nowMs: number): void {
    const cell = Math.max(this.#acceptedCell, Math.floor((nowMs - this.#startedAtMs) / CELL_MS));
    const turned = Math.min(cell - this.#acceptedCell, CELL_COUNT);
    for (let ahead = 0; ahead < turned; ahead += 1) this.#accepted[(cell - ahead) % CELL_COUNT] = 0;
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
