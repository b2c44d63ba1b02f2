import type { Carrier } from "../carriers/carrier.ts";
import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import { CarrierHealth } from "./carrier-health.ts";
import type { Handover, LiveBatch, Share } from "./live-batch.ts";
import { RetryQueue } from "./retry-queue.ts";

export type CarrierFacts = {
  carrierId: number;
  name: string;
  prefixes: readonly string[];
  weight: number;
  priority: number;
  bindCount: number;
  messagesPerSecond: number;
  /** What the link was made with; another one needs another link. */
  linkKey?: string;
};

/** A carrier as this worker uses it: its link, its place in the routes, its health, and the work that waits for it. */
export class WorkCarrier {
  facts: CarrierFacts;
  readonly link: Carrier<Handover>;
  readonly health = new CarrierHealth();
  readonly retries = new RetryQueue();
  readonly #express: Share[] = [];
  readonly #bulk: Share[] = [];
  /** Recipients granted to this carrier (requested, granted, handed or answered) and not recorded. */
  unrecordedCount = 0;
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

  constructor(facts: CarrierFacts, link: Carrier<Handover>) {
    this.facts = facts;
    this.link = link;
  }

  get unrecordedMax(): number {
    return this.link.windowSize * deliveryLimits.unrecordedWindows;
  }

  noteLink(nowMs: number): void {
    if (this.link.isUp) this.#downSinceMs = undefined;
    else this.#downSinceMs ??= nowMs;
  }

  /** Whether new work may be given to it here. A link that just broke is given a moment to come back. */
  isUsable(nowMs: number): boolean {
    if (this.bindIndexes.length === 0 || !this.health.isUsable(nowMs)) return false;
    return this.#downSinceMs === undefined || (this.#downSinceMs > 0 && nowMs - this.#downSinceMs < deliveryTimesMs.linkGrace);
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

  isHungry(isExpress: boolean): boolean {
    const { backlogRecipientsMin, backlogSeconds } = deliveryLimits;
    const rate = (this.facts.messagesPerSecond * this.bindIndexes.length) / this.facts.bindCount;
    return this.backlog(isExpress) < Math.max(backlogRecipientsMin, this.unrecordedMax, rate * backlogSeconds);
  }

  /** Whether `requestGrants` would ask for any. */
  wantsGrants(): boolean {
    if (this.unrecordedCount >= this.unrecordedMax) return false;
    const isWanting = (share: Share): boolean => share.requestedCount < share.offsets.length && !share.batch.isStopping;
    return this.#express.some(isWanting) || this.#bulk.some(isWanting);
  }

  /**
   * Asks for intents, small sends first, up to the unrecorded limit. The flush commits them, then `grant` is called.
   *
   * @param onRequest told of each share and how many offsets more it asks for.
   */
  requestGrants(onRequest: (share: Share, count: number) => void): void {
    let free = this.unrecordedMax - this.unrecordedCount;
    if (free <= 0) return;
    const bulkFree = this.#bulk.length > 0 ? Math.ceil(free / deliveryLimits.bulkShare) : 0;
    const request = (queue: readonly Share[], max: number): void => {
      let left = max;
      for (const share of queue) {
        if (left <= 0) return;
        if (share.batch.isStopping) continue;
        const count = Math.min(left, share.offsets.length - share.requestedCount);
        if (count === 0) continue;
        onRequest(share, count);
        left -= count;
        free -= count;
      }
    };
    request(this.#express, free - bulkFree);
    request(this.#bulk, free);
  }

  /** The share whose next offset goes out now, or undefined when nothing is granted. */
  nextShare(): Share | undefined {
    const isBulkTurn = this.#sinceBulk >= deliveryLimits.bulkShare;
    const first = isBulkTurn ? this.#bulk : this.#express;
    const second = isBulkTurn ? this.#express : this.#bulk;
    const share = findGranted(first) ?? findGranted(second);
    this.#sinceBulk = share?.batch.isExpress === true ? this.#sinceBulk + 1 : 0;
    return share;
  }

  /** Forgets a share that is handed over whole. */
  dropShare(share: Share): void {
    const queue = share.batch.isExpress ? this.#express : this.#bulk;
    const index = queue.indexOf(share);
    if (index >= 0) queue.splice(index, 1);
  }
}

function findGranted(queue: readonly Share[]): Share | undefined {
  for (const share of queue) if (share.handedCount < share.grantedCount && !share.batch.isStopping) return share;
  return undefined;
}
