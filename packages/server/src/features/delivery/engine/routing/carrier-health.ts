/**
 * How well a carrier does, from what became of recent messages. A carrier that fails or is slow loses traffic by itself,
 * and gets it back by succeeding.
 *
 * closed (normal) -> open after `FAULTS_IN_A_ROW_MAX` faults in a row -> half open after a pause: one window's worth is
 * tried -> closed on the first success, or open again with twice the pause.
 */
const FAULTS_IN_A_ROW_MAX = 20;
const PAUSE_MS = 2_000;
const PAUSE_MS_MAX = 60_000;
const BUCKET_MS = 60_000;
/** Of the last 15 minutes. */
const BUCKET_COUNT = 15;
/** From this share of bad messages on the weight falls; below it a carrier is as good as its peers. */
const BAD_SHARE = 0.15;
/** Fewer messages say nothing. */
const JUDGED_MIN = 50;
/** A carrier that fails always still gets this part of its weight: otherwise it could not show that it recovered. */
const FACTOR_MIN = 0.05;
/** An answer that takes longer is as bad as none. */
export const SLOW_ANSWER_MS = 10_000;

type Bucket = { minute: number; good: number; bad: number };

export class CarrierHealth {
  /** A ring; a minute's bucket is used anew fifteen minutes later. */
  readonly #buckets: Bucket[] = Array.from({ length: BUCKET_COUNT }, () => ({
    minute: -BUCKET_COUNT,
    good: 0,
    bad: 0,
  }));
  #faultsInARow = 0;
  #openUntilMs = 0;
  #pauseMs = PAUSE_MS;

  /** @param nowMs any clock that only goes forward. */
  recordGood(nowMs: number): void {
    this.#faultsInARow = 0;
    this.#pauseMs = PAUSE_MS;
    this.#openUntilMs = 0;
    this.#bucket(nowMs).good += 1;
  }

  /** Answered, or not, as it should not be: it weighs, but says nothing about the next message. */
  recordBad(nowMs: number): void {
    this.#bucket(nowMs).bad += 1;
  }

  /** The carrier said that it cannot: many in a row open the circuit. */
  recordFault(nowMs: number): void {
    this.recordBad(nowMs);
    this.#faultsInARow += 1;
    if (this.#faultsInARow < FAULTS_IN_A_ROW_MAX || nowMs < this.#openUntilMs) return;
    this.#openUntilMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MS_MAX);
    // What comes in while half open is judged alone: a few faults close it again.
    this.#faultsInARow = FAULTS_IN_A_ROW_MAX / 2;
  }

  /** Whether new messages may be given to it. */
  isUsable(nowMs: number): boolean {
    return nowMs >= this.#openUntilMs;
  }

  /** 1 for a healthy carrier, less as more fails; multiplies its weight. */
  weightFactor(nowMs: number): number {
    const { good, bad } = this.counts(nowMs);
    const total = good + bad;
    if (total < JUDGED_MIN || bad / total < BAD_SHARE) return 1;
    return Math.max(FACTOR_MIN, 1 - bad / total);
  }

  /** Of the last 15 minutes. */
  counts(nowMs: number): { good: number; bad: number } {
    const oldest = Math.floor(nowMs / BUCKET_MS) - BUCKET_COUNT;
    let good = 0;
    let bad = 0;
    for (const bucket of this.#buckets) {
      if (bucket.minute <= oldest) continue;
      good += bucket.good;
      bad += bucket.bad;
    }
    return { good, bad };
  }

  #bucket(nowMs: number): Bucket {
    const minute = Math.floor(nowMs / BUCKET_MS);
    const index = minute % BUCKET_COUNT;
    let bucket = this.#buckets[index];
    if (bucket?.minute !== minute) {
      bucket = { minute, good: 0, bad: 0 };
      this.#buckets[index] = bucket;
    }
    return bucket;
  }
}
