import type { MessageClass } from "@ewebal/contract";
import type { Carrier } from "../../carriers/carrier.ts";
import type { CarrierCost } from "../../carriers/costs/cost-store.ts";
import { figuresOf, type CarrierFigures } from "../../figures/figures.ts";
import { deliveryLimits, deliveryTimesMs } from "../../delivery-limits.ts";
import { CarrierHealth } from "./carrier-health.ts";
import type { Handover, InFlight, LiveBatch, Share } from "../in-flight.ts";

export type CarrierFacts = {
  carrierId: number;
  name: string;
  prefixes: readonly string[];
  weight: number;
  priority: number;
  bindCount: number;
  messagesPerSecond: number;
  /** Both classes when absent. */
  classes?: readonly MessageClass[];
  /** Whether its transactional messages reach do-not-disturb numbers. */
  reachesDnd?: boolean;
  /** What it bills for a part; nothing is known when absent. */
  costs?: readonly CarrierCost[];
  /** The carrier of tests: it gets tests alone, and they go to no other. */
  isTest?: boolean;
  /** What the link was made with; another one needs another link. */
  linkKey?: string;
};

/** A carrier as this worker uses it: its link, its place in the routes, its health, and the work that waits for it. */
export class WorkCarrier {
  facts: CarrierFacts;
  readonly link: Carrier<Handover>;
  readonly health = new CarrierHealth();
  readonly figures: CarrierFigures;
  readonly retries = new RetryQueue();
  readonly #inFlight: InFlight;
  readonly #express: Share[] = [];
  readonly #bulk: Share[] = [];
  /** Intents that a claim under way may bring. */
  claimingCount = 0;
  /** Binds that this worker holds now. */
  bindIndexes: number[] = [];
  /** It was removed or changed: what it has in hand is awaited, and it gets nothing more. */
  isRetiring = false;
  /** Messages that it has answered, since it was made. */
  answeredCount = 0;
  /** Another worker has a standing bind of it. */
  isUpElsewhere = false;
  #downSinceMs: number | undefined = 0;
  #sinceBulk = 0;
  /** Handed over since it was made, and when intents were requested last. */
  #handedCount = 0;
  #handedAtRequest = 0;
  /** Bulk's share of what was requested, in parts of one recipient that were not given yet. */
  #bulkDue = 0;

  constructor(facts: CarrierFacts, link: Carrier<Handover>, inFlight: InFlight) {
    this.facts = facts;
    this.link = link;
    this.figures = figuresOf(facts.name);
    this.#inFlight = inFlight;
  }

  get unrecordedMax(): number {
    return this.link.windowSize * deliveryLimits.unrecordedWindows;
  }

  /** Messages a second over the binds that this worker holds. */
  get #rate(): number {
    return (this.facts.messagesPerSecond * this.bindIndexes.length) / this.facts.bindCount;
  }

  /** Recipients whose intents may be committed, or on their way to be, and that are not handed over; at least one. */
  get intentsMax(): number {
    return Math.max(1, Math.ceil(this.#rate * deliveryLimits.intentSeconds));
  }

  /**
   * How many intents more there may be now. What the carrier sent back waits beside them, bounded by the unrecorded limit alone: a few
   * that it fails on again and again would hold up all others.
   */
  intentRoom(isExpress: boolean, drainedCount = 0): number {
    const keptCount = isExpress ? this.claimingCount : Math.max(this.claimingCount, this.#expressIntents);
    return Math.max(
      0,
      Math.min(
        this.unrecordedMax - this.#inFlight.unrecordedCount(this),
        this.intentsMax + drainedCount - keptCount - this.#aheadCount(),
      ),
    );
  }

  /**
   * How many intents a claim may bring along. Bulk gets its own from the granter unless nothing is under way; where bulk is under way a
   * claim of small sends has no more than what is kept for them, so that grants meanwhile go on with bulk.
   */
  claimRoom(isExpress: boolean): number {
    if (!isExpress && this.#aheadCount() > 0) return 0;
    const room = this.intentRoom(isExpress);
    return isExpress && this.#bulk.length > 0 ? Math.min(room, Math.max(1, this.#expressIntents)) : room;
  }

  get #expressIntents(): number {
    return Math.floor(this.intentsMax / deliveryLimits.intentExpressShare);
  }

  /** Requested or granted, and not handed over. */
  #aheadCount(): number {
    let count = 0;
    for (const share of this.#express) count += share.requestedCount - share.handedCount;
    for (const share of this.#bulk) count += share.requestedCount - share.handedCount;
    return count;
  }

  noteLink(nowMs: number): void {
    if (this.link.isUp) this.#downSinceMs = undefined;
    else this.#downSinceMs ??= nowMs;
  }

  /** Whether new work may be given to it here. A link that just broke is given a moment to come back. */
  isUsable(nowMs: number): boolean {
    if (this.bindIndexes.length === 0 || !this.health.isUsable(nowMs)) return false;
    return (
      this.#downSinceMs === undefined ||
      (this.#downSinceMs > 0 && nowMs - this.#downSinceMs < deliveryTimesMs.linkGrace)
    );
  }

  weight(nowMs: number): number {
    return this.facts.weight * this.health.weightFactor(nowMs);
  }

  addShare(share: Share): void {
    const queue = share.batch.isExpress ? this.#express : this.#bulk;
    // Batches arrive nearly in order of turn, so the place is near the end.
    let index = queue.length;
    while (index > 0 && (queue[index - 1]?.batch.turn ?? 0) > share.batch.turn) index -= 1;
    queue.splice(index, 0, share);
  }

  removeShares(batch: LiveBatch): Share[] {
    return [this.#express, this.#bulk].flatMap((queue) => {
      const removed = queue.filter((share) => share.batch === batch);
      for (const share of removed) queue.splice(queue.indexOf(share), 1);
      return removed;
    });
  }

  get shares(): Share[] {
    return [...this.#express, ...this.#bulk];
  }

  /** Recipients of one queue that wait here and are not handed over. */
  backlog(isExpress: boolean): number {
    let count = isExpress ? this.retries.size : 0;
    for (const share of isExpress ? this.#express : this.#bulk) count += share.offsets.length - share.handedCount;
    return count;
  }

  /** Whether more work may be claimed for it. */
  hasCapacity(isExpress: boolean): boolean {
    return this.backlog(isExpress) < this.#backlogMax;
  }

  /**
   * Bulk batches that a claim is to bring. None until a full claim is missing, or a quarter of what the carrier may have waiting: a claim
   * costs the same statement and the same wait for the disk whether it brings one batch or sixteen.
   */
  get missingBatches(): number {
    const { batchRecipientsMax, bulkClaimMax } = deliveryLimits;
    const missing = this.#backlogMax - this.backlog(false);
    if (missing < Math.min(bulkClaimMax * batchRecipientsMax, this.#backlogMax / 4)) return 0;
    return Math.min(Math.ceil(missing / batchRecipientsMax), bulkClaimMax);
  }

  /** Recipients of one queue that may wait here. */
  get #backlogMax(): number {
    const { backlogRecipientsMin, backlogSeconds } = deliveryLimits;
    return Math.max(backlogRecipientsMin, this.unrecordedMax, this.#rate * backlogSeconds);
  }

  /** Whether a grant is worth its round trip: bulk waits until a quarter of its intents is used. */
  wantsGrants(): boolean {
    if (this.#express.some(isWanting)) return this.intentRoom(true) > 0;
    const leastCount = this.#aheadCount() === 0 ? 1 : Math.ceil(Math.min(this.intentsMax, this.unrecordedMax) / 4);
    return this.#bulk.some(isWanting) && this.intentRoom(false) >= leastCount;
  }

  /** Whether recipients wait for it here for which a flush that records answers makes room. */
  get isFull(): boolean {
    return this.#express.some(isWanting) || this.#bulk.some(isWanting);
  }

  /**
   * Asks for intents, small sends first, up to the limits. The granter commits them.
   *
   * @param requested the batches that intents are asked for are added to it.
   * @param isRecording whether a batch is to be left out.
   */
  requestGrants(requested: Set<LiveBatch>, isRecording: (batch: LiveBatch) => boolean): void {
    // What is requested now is an intent when the grant has committed. Until then as much goes out as did since the last one; without
    // that a grant of 20 ms, on a busy database, cost a tenth of the pace.
    const drainedCount = Math.max(
      0,
      Math.min(this.#handedCount - this.#handedAtRequest, this.intentsMax) - deliveryLimits.intentDrainMin,
    );
    this.#handedAtRequest = this.#handedCount;
    const free = this.intentRoom(true, drainedCount);
    if (free === 0) return;
    const request = (queue: readonly Share[], max: number): void => {
      let left = max;
      for (const share of queue) {
        if (left <= 0) return;
        if (share.batch.isStopping || isRecording(share.batch)) continue;
        const count = Math.min(left, share.offsets.length - share.requestedCount);
        if (count === 0) continue;
        this.#inFlight.request(share, count);
        requested.add(share.batch);
        left -= count;
      }
    };
    const bulkDue = this.#takeBulkDue(free);
    request(this.#express, free - bulkDue);
    // What was requested now is no room any more.
    request(this.#bulk, Math.max(bulkDue, this.intentRoom(false, drainedCount)));
  }

  /** Of so many, what small sends leave to bulk; with few at a time, one every now and then. */
  #takeBulkDue(free: number): number {
    if (!this.#bulk.some(isWanting)) return 0;
    this.#bulkDue += free / deliveryLimits.bulkShare;
    const whole = Math.floor(this.#bulkDue);
    this.#bulkDue -= whole;
    return whole;
  }

  /** @returns the recipient that goes out now, or undefined when nothing is due to be tried again and nothing is granted. */
  takeNext(): Handover | undefined {
    const retried = this.retries.takeReady();
    if (retried !== undefined) return retried;
    const isBulkTurn = this.#sinceBulk >= deliveryLimits.bulkShare;
    const first = isBulkTurn ? this.#bulk : this.#express;
    const second = isBulkTurn ? this.#express : this.#bulk;
    const share = findGranted(first) ?? findGranted(second);
    this.#sinceBulk = share?.batch.isExpress === true ? this.#sinceBulk + 1 : 0;
    if (share === undefined) return undefined;
    this.#handedCount += 1;
    const handover = this.#inFlight.takeNext(share);
    if (share.handedCount === share.offsets.length) this.dropShare(share);
    return handover;
  }

  dropShare(share: Share): void {
    const queue = share.batch.isExpress ? this.#express : this.#bulk;
    const index = queue.indexOf(share);
    if (index >= 0) queue.splice(index, 1);
  }
}

function isWanting(share: Share): boolean {
  return share.requestedCount < share.offsets.length && !share.batch.isStopping;
}

function findGranted(queue: readonly Share[]): Share | undefined {
  for (const share of queue) if (share.handedCount < share.grantedCount && !share.batch.isStopping) return share;
  return undefined;
}

/**
 * Hand-overs that a carrier sent back, until their pause is over. Bounded by the carrier's unrecorded limit, so a sweep
 * over all of them twenty times a second costs less than keeping them sorted.
 */
class RetryQueue {
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
