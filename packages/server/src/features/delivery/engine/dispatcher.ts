import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import type { CarrierOutcome } from "../carriers/carrier.ts";
import { SLOW_ANSWER_MS } from "./carrier-health.ts";
import { Handover, OFFSET, Share, type LiveBatch } from "./live-batch.ts";
import { pickByWeight, RouteTable, type Tier } from "./route-table.ts";
import type { WorkCarrier } from "./work-carrier.ts";

/** What is certain about one recipient: it goes into the next flush. */
export type Answer =
  | { readonly kind: "accepted"; readonly keys: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unknown" };

export type DispatcherOwner = {
  /** The recipient's fate is to be recorded. `carrier` is undefined for one that none takes. */
  onAnswer: (handover: Handover | UnroutableRecipient, answer: Answer) => void;
  /** Nothing of a stopping batch is in hand any more: a flush can give it back. */
  onFlushNeeded: (batch: LiveBatch) => void;
  /** Intents were used up: a flush can bring the next ones. */
  onGrantsWanted: () => void;
  /** A lane that cannot be served here now. */
  onLaneBlocked: (lane: number) => void;
  /** Nothing is handed over from this moment on (our clock): the lease may be gone. */
  handUntilMs: () => number;
};

/** A recipient whose fate is recorded without any carrier: none takes the number, or a dead worker left it. */
export class UnroutableRecipient {
  readonly batch: LiveBatch;
  readonly offset: number;
  isPlanned = false;
  isRecorded = false;

  constructor(batch: LiveBatch, offset: number) {
    this.batch = batch;
    this.offset = offset;
  }
}

/** Which recipient goes to which carrier, and when. All of it is in memory; what must survive is in the flush. */
export class Dispatcher {
  readonly #owner: DispatcherOwner;
  #carriers: readonly WorkCarrier[] = [];
  #routes = new RouteTable<WorkCarrier>([]);
  readonly batches = new Set<LiveBatch>();
  #isStopped = false;

  constructor(owner: DispatcherOwner) {
    this.#owner = owner;
  }

  get carriers(): readonly WorkCarrier[] {
    return this.#carriers;
  }

  get routes(): RouteTable<WorkCarrier> {
    return this.#routes;
  }

  /** Retiring carriers are among them until nothing of theirs is in hand; numbers are routed to the others. */
  setCarriers(carriers: readonly WorkCarrier[]): void {
    this.#carriers = carriers;
    this.#routes = new RouteTable(carriers.filter((carrier) => !carrier.isRetiring));
  }

  /** Takes in a leased batch: each open recipient is given to a carrier, refused, or left for another worker. */
  addBatch(batch: LiveBatch): void {
    this.batches.add(batch);
    if (this.#isStopped) this.stopBatch(batch);
    else this.#place(batch, openOffsets(batch));
  }

  /** Hands over nothing more, also of batches that a claim under way still brings. */
  stop(): void {
    this.#isStopped = true;
    for (const batch of this.batches) this.stopBatch(batch);
  }

  /** Hands over as much as the carrier takes. */
  pump(carrier: WorkCarrier): void {
    if (this.#isStopped || performance.now() >= this.#owner.handUntilMs()) return;
    let isUsed = false;
    while (carrier.link.canTake()) {
      const handover = carrier.retries.takeReady() ?? nextHandover(carrier);
      if (handover === undefined) break;
      this.#hand(handover);
      isUsed = true;
    }
    if (isUsed && carrier.wantsGrants()) this.#owner.onGrantsWanted();
  }

  pumpAll(): void {
    for (const carrier of this.#carriers) this.pump(carrier);
  }

  /** Twenty times a second: what carriers sent back is due again. */
  sweepRetries(): void {
    const nowMs = performance.now();
    for (const carrier of this.#carriers) {
      if (carrier.retries.size === 0) continue;
      carrier.retries.sweep(nowMs);
      if (carrier.retries.readyCount > 0) this.pump(carrier);
    }
  }

  onOutcome(handover: Handover, outcome: CarrierOutcome): void {
    const { batch, carrier } = handover;
    batch.busyCount -= 1;
    this.#judge(handover, outcome);
    if (batch.isLost) {
      carrier.unrecordedCount -= 1;
      return;
    }
    if (outcome.kind === "deferred") this.#defer(handover, outcome);
    else this.#answer(handover, outcome);
  }

  /** Hands over nothing more of a batch. What is in carriers' hands is awaited, the rest goes back as it is. */
  stopBatch(batch: LiveBatch): void {
    if (batch.isStopping || batch.isLost) return;
    batch.isStopping = true;
    this.#withdraw(batch);
    this.#owner.onFlushNeeded(batch);
  }

  /** Forgets a batch that is done, given back or lost. */
  removeBatch(batch: LiveBatch): void {
    this.#withdraw(batch);
    this.batches.delete(batch);
  }

  /** Moves work away from carriers that cannot do it here now. Called once a second, and when a link changes. */
  rebalance(): void {
    const nowMs = performance.now();
    for (const carrier of this.#carriers) {
      carrier.noteLink(nowMs);
      if (carrier.isUsable(nowMs)) continue;
      for (const share of carrier.shares) this.#moveShare(carrier, share);
      for (const handover of carrier.retries.drain()) this.#reroute(handover);
    }
  }

  #place(batch: LiveBatch, offsets: readonly number[]): void {
    const byTiers = new Map<readonly Tier<WorkCarrier>[], number[]>();
    for (const offset of offsets) {
      const tiers = this.#routes.tiersFor(String(batch.phoneNos[offset]));
      const same = byTiers.get(tiers);
      if (same === undefined) byTiers.set(tiers, [offset]);
      else same.push(offset);
    }
    let isPlaced = true;
    for (const [tiers, alike] of byTiers) {
      const carrier = this.#choose(tiers);
      if (carrier !== undefined) this.#addShare(carrier, new Share(batch, alike));
      else if (tiers.length === 0) this.#refuseUnroutable(batch, alike);
      else isPlaced = false;
    }
    if (isPlaced) return;
    this.#owner.onLaneBlocked(batch.lane);
    // What has a carrier here goes out; then the rest is given back.
    batch.isRestForOthers = true;
    this.#leaveRest(batch);
  }

  /** Stops batches of which only recipients are left that other workers must send. */
  leaveRests(): void {
    for (const batch of this.batches) if (batch.isRestForOthers) this.#leaveRest(batch);
  }

  #leaveRest(batch: LiveBatch): void {
    const isBusy = batch.busyCount > 0 || this.#carriers.some((carrier) => carrier.retries.has(batch));
    const hasWork = batch.shares.some((share) => share.handedCount < share.offsets.length);
    if (!isBusy && !hasWork) this.stopBatch(batch);
  }

  /** @returns undefined when no carrier can be used here now, or the best ones stand at another worker. */
  #choose(tiers: readonly Tier<WorkCarrier>[], except?: WorkCarrier): WorkCarrier | undefined {
    const nowMs = performance.now();
    for (const tier of tiers) {
      const usable = tier.filter((carrier) => carrier !== except && carrier.isUsable(nowMs));
      if (usable.length > 0) return pickByWeight(usable, (carrier) => carrier.weight(nowMs), Math.random());
      // Going round a carrier that another worker can reach would only spoil its order and its price.
      if (tier.some((carrier) => carrier.isUpElsewhere)) return undefined;
    }
    return undefined;
  }

  #addShare(carrier: WorkCarrier, share: Share): void {
    share.batch.shares.push(share);
    carrier.unrecordedCount += share.requestedCount;
    carrier.addShare(share);
  }

  #refuseUnroutable(batch: LiveBatch, offsets: readonly number[]): void {
    for (const offset of offsets) this.answerWithoutCarrier(batch, offset, { kind: "refused", reason: "no-route" });
  }

  /** Records the fate of a recipient that no carrier has in hand here. */
  answerWithoutCarrier(batch: LiveBatch, offset: number, answer: Answer): void {
    batch.offsets[offset] = OFFSET.answered;
    batch.busyCount += 1;
    this.#owner.onAnswer(new UnroutableRecipient(batch, offset), answer);
  }

  #hand(handover: Handover): void {
    const { batch, offset, carrier } = handover;
    const { message } = batch;
    batch.offsets[offset] = OFFSET.handed;
    batch.busyCount += 1;
    handover.handedAtMs = performance.now();
    carrier.link.take(handover, {
      senderName: message.senderName,
      phoneNo: String(batch.phoneNos[offset]),
      text: message.textFor(carrier.link),
    });
  }

  #judge({ carrier, handedAtMs }: Handover, outcome: CarrierOutcome): void {
    const nowMs = performance.now();
    if (outcome.kind === "accepted" || outcome.kind === "refused") {
      carrier.answeredCount += 1;
      if (nowMs - handedAtMs > SLOW_ANSWER_MS) carrier.health.recordBad(nowMs);
      else carrier.health.recordGood(nowMs);
    } else if (outcome.kind === "unknown") {
      carrier.health.recordBad(nowMs);
    } else if (outcome.isFault) {
      carrier.health.recordFault(nowMs);
    }
  }

  #answer(handover: Handover, answer: Answer): void {
    handover.batch.offsets[handover.offset] = OFFSET.answered;
    handover.batch.busyCount += 1;
    this.#owner.onAnswer(handover, answer);
  }

  #defer(handover: Handover, outcome: Extract<CarrierOutcome, { kind: "deferred" }>): void {
    const { batch, carrier } = handover;
    handover.isPartial = outcome.isPartial;
    if (outcome.isFault) handover.tries += 1;
    if (handover.tries >= deliveryLimits.faultTriesMax)
      return this.#answer(handover, { kind: "refused", reason: outcome.reason });
    batch.offsets[handover.offset] = OFFSET.granted;
    if (batch.isStopping) return this.#putBack(handover);
    const nowMs = performance.now();
    if (!outcome.isPartial && !carrier.isUsable(nowMs)) return this.#reroute(handover);
    const afterMs = outcome.isFault
      ? Math.min(outcome.afterMs * 2 ** (handover.tries - 1), deliveryTimesMs.faultPauseMax)
      : outcome.afterMs;
    carrier.retries.add(handover, nowMs + afterMs);
  }

  /** A hand-over of a stopping batch that its carrier does not have: nothing of it is left but its place. */
  #putBack(handover: Handover): void {
    // Some of its parts are in the phone's hands or will be: it cannot be sent from the start again.
    if (handover.isPartial) return this.#answer(handover, { kind: "unknown" });
    handover.carrier.unrecordedCount -= 1;
    if (handover.batch.isIdle) this.#owner.onFlushNeeded(handover.batch);
  }

  #withdraw(batch: LiveBatch): void {
    for (const carrier of this.#carriers) {
      for (const share of carrier.removeShares(batch))
        carrier.unrecordedCount -= share.requestedCount - share.handedCount;
      for (const handover of carrier.retries.drain(batch)) this.#putBack(handover);
    }
    batch.shares = [];
  }

  #moveShare(from: WorkCarrier, share: Share): void {
    const { batch } = share;
    // Another share of the same batch may just have stopped it, and withdrawn this one.
    if (batch.isStopping) return;
    const first = share.offsets[share.handedCount];
    if (first === undefined) return;
    const to = this.#choose(this.#routes.tiersFor(String(batch.phoneNos[first])), from);
    if (to === undefined) {
      // With a bind of ours it will come back to us; without one another worker may have it.
      if (from.bindIndexes.length === 0) this.stopBatch(batch);
      return;
    }
    from.dropShare(share);
    from.unrecordedCount -= share.requestedCount - share.handedCount;
    batch.shares = batch.shares.filter((other) => other !== share);
    this.#addShare(to, new Share(batch, share.offsets.slice(share.handedCount)));
  }

  /** Sends on by another carrier what this one certainly does not have. */
  #reroute(handover: Handover): void {
    const { batch, offset, carrier } = handover;
    // Another one of the same batch may just have stopped it; what is given back must not go out here as well.
    if (batch.isStopping) return this.#putBack(handover);
    const to = handover.isPartial
      ? undefined
      : this.#choose(this.#routes.tiersFor(String(batch.phoneNos[offset])), carrier);
    if (to === undefined) {
      carrier.retries.add(handover, performance.now() + deliveryTimesMs.heartbeat);
      if (carrier.bindIndexes.length === 0) this.stopBatch(batch);
      return;
    }
    const moved = new Handover(batch, offset, to);
    moved.tries = handover.tries;
    carrier.unrecordedCount -= 1;
    to.unrecordedCount += 1;
    to.retries.addReady(moved);
  }
}

function nextHandover(carrier: WorkCarrier): Handover | undefined {
  const share = carrier.nextShare();
  if (share === undefined) return undefined;
  return new Handover(share.batch, carrier.takeNext(share), carrier);
}

/** Offsets that are still to be sent: fresh ones, and those whose intent this lease's claim committed. */
function openOffsets(batch: LiveBatch): number[] {
  const open: number[] = [];
  for (const [offset, state] of batch.offsets.entries())
    if (state === OFFSET.fresh || state === OFFSET.granted) open.push(offset);
  return open;
}
