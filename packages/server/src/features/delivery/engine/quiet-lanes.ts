import { isOpenAt, nextBorderMs, type QuietHours } from "@ewebal/contract";
import type { Clock } from "../../../base/deps.ts";
import { writeLane } from "../queue/lanes.ts";

/** A border is looked for anew at least this often: rules of a zone may have changed with the machine's. */
const LOOK_MS = 3_600_000;

/**
 * Which lanes nothing is handed over of now. Asked before every run of hand-overs, so it looks at the clock alone until a border has come:
 * then nothing leaves, to the millisecond, although the timers of a busy worker are late.
 */
export class QuietLanes {
  readonly #clock: Clock;
  #hours: readonly QuietHours[] = [];
  #closed: ReadonlySet<number> = new Set();
  #lookedAtMs = 0;
  #nextLookMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get closed(): ReadonlySet<number> {
    return this.#closed;
  }

  /** @returns whether other lanes are closed than before. */
  setHours(hours: readonly QuietHours[]): boolean {
    this.#hours = hours;
    this.#nextLookMs = 0;
    return this.look(true);
  }

  /** @returns whether other lanes are closed than at the last look. */
  look(isForced = false): boolean {
    if (this.#hours.length === 0 && !isForced) return false;
    const nowMs = this.#clock.now().getTime();
    // A clock may be set back.
    if (!isForced && nowMs < this.#nextLookMs && nowMs >= this.#lookedAtMs) return false;
    const borders = this.#hours.map((hours) => nextBorderMs(hours, nowMs) ?? Infinity);
    this.#lookedAtMs = nowMs;
    this.#nextLookMs = Math.min(nowMs + LOOK_MS, ...borders);
    const before = this.#closed;
    this.#closed = new Set(this.#hours.filter((hours) => !isOpenAt(hours, nowMs)).map(({ code }) => laneOf(code)));
    return before.size !== this.#closed.size || [...before].some((lane) => !this.#closed.has(lane));
  }

  isClosed(lane: number): boolean {
    return this.#closed.has(lane);
  }
}

function laneOf(code: string): number {
  return writeLane({ code, class: "promotional", waitsForHours: true });
}
