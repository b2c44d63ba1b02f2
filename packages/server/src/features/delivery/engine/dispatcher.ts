import type { CarrierOutcome } from "../carriers/carrier.ts";
import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import { classOfLane } from "../figures/figures.ts";
import type { ReportMatcher } from "../outcomes/report-matcher.ts";
import { SLOW_ANSWER_MS } from "./routing/carrier-health.ts";
import { Recipient, type Answer, type Handover, type InFlight, type LiveBatch, type Share } from "./in-flight.ts";
import type { Outbox } from "./outbox.ts";
import { readLane } from "../queue/lanes.ts";
import type { QuietLanes } from "./quiet-lanes.ts";
import { pickByWeight, pickCheapest, Routes, type Tier } from "./routing/route-table.ts";
import type { WorkCarrier } from "./routing/work-carrier.ts";

/** Which recipient goes to which carrier, and when. All of it is in memory; what must survive is in the flush. */
export class Dispatcher {
  readonly #inFlight: InFlight;
  readonly #outbox: Outbox;
  readonly #matcher: Pick<ReportMatcher, "onAccepted">;
  readonly #handUntilMs: () => number;
  #carriers: readonly WorkCarrier[] = [];
  readonly #quietLanes: QuietLanes;
  #routes = new Routes<WorkCarrier>([]);
  /** The one way that tests go, and nothing else does. */
  #testTiers: readonly Tier<WorkCarrier>[] = [];
  /** Batches with recipients that cannot be sent from here now: what this worker can send goes out, the rest is returned. */
  readonly #withRemainder = new Set<LiveBatch>();
  /** Dialling codes that could not be served a moment ago, and until when they are left to other workers. */
  readonly #blockedUntilMs = new Map<number, number>();
  #isStopped = false;

  /**
   * @param handUntilMs nothing is handed over from this moment on (our clock): the lease may be gone.
   * @param quietLanes nothing is handed over of these.
   */
  constructor(
    inFlight: InFlight,
    outbox: Outbox,
    matcher: Pick<ReportMatcher, "onAccepted">,
    handUntilMs: () => number,
    quietLanes: QuietLanes,
  ) {
    this.#quietLanes = quietLanes;
    this.#inFlight = inFlight;
    this.#outbox = outbox;
    this.#matcher = matcher;
    this.#handUntilMs = handUntilMs;
  }

  get carriers(): readonly WorkCarrier[] {
    return this.#carriers;
  }

  /** Every carrier that takes at least some messages of a lane. */
  carriersFor(lane: number): WorkCarrier[] {
    const { code, class: messageClass } = readLane(lane);
    return this.#routes.of(messageClass).carriersForCode(code);
  }

  /** Retiring carriers are among them until nothing of theirs is in hand; numbers are routed to the others. */
  setCarriers(carriers: readonly WorkCarrier[]): void {
    this.#carriers = carriers;
    this.#routes = new Routes(carriers.filter(({ isRetiring, facts }) => !isRetiring && facts.isTest !== true));
    this.#testTiers = [carriers.filter(({ facts }) => facts.isTest === true)];
  }

  isBlocked(lane: number, nowMs: number): boolean {
    return (this.#blockedUntilMs.get(lane) ?? 0) > nowMs;
  }

  /** Takes in a leased batch: each unsent recipient is given to a carrier, refused, or left for another worker. */
  addBatch(batch: LiveBatch): void {
    if (this.#isStopped || this.#quietLanes.isClosed(batch.lane)) this.stopBatch(batch);
    else this.#route(batch, this.#inFlight.unsentOffsets(batch));
  }

  /** Hands over nothing more, also of batches that a claim under way still brings. */
  stop(): void {
    this.#isStopped = true;
    for (const batch of this.#inFlight.batches) this.stopBatch(batch);
  }

  /** Promotional messages may leave no more: gives back what of them is in hand. They are claimed again when they may. */
  stopQuietLanes(): void {
    for (const batch of this.#inFlight.batches) if (this.#quietLanes.isClosed(batch.lane)) this.stopBatch(batch);
  }

  /** The worker session is over: whatever it had is void. */
  abandon(): void {
    this.#isStopped = true;
    for (const batch of this.#inFlight.batches) this.loseBatch(batch);
  }

  /** Hands over as much as the carrier takes. */
  pump(carrier: WorkCarrier): void {
    if (this.#isStopped || performance.now() >= this.#handUntilMs()) return;
    let isUsed = false;
    while (carrier.link.canTake()) {
      // Before each one: what closes at 20:00:00 has handed nothing over at 20:00:00.
      if (this.#quietLanes.look()) this.stopQuietLanes();
      const handover = carrier.takeNext();
      if (handover === undefined) {
        if (carrier.wantsGrants()) this.#outbox.askForGrants();
        else if (carrier.isFull && !this.#outbox.isEmpty("answers")) this.#outbox.hurry();
        break;
      }
      this.#hand(carrier, handover);
      isUsed = true;
    }
    if (isUsed && carrier.wantsGrants()) this.#outbox.askForGrants();
  }

  pumpAll(): void {
    for (const carrier of this.#carriers) this.pump(carrier);
  }

  /** New batches, or new intents: hands over what may go, and asks for the next intents. */
  proceed(): void {
    this.pumpAll();
    this.#returnRemainders();
    if (this.#carriers.some((carrier) => carrier.wantsGrants())) this.#outbox.askForGrants();
  }

  /**
   * Asks for intents up to the carriers' limits.
   *
   * @param isRecording whether a batch is to be left out, because a flush is writing it.
   * @returns the batches that the next grant is to commit intents of.
   */
  requestGrants(isRecording: (batch: LiveBatch) => boolean): Set<LiveBatch> {
    const requested = new Set<LiveBatch>();
    for (const carrier of this.#carriers) carrier.requestGrants(requested, isRecording);
    return requested;
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

  onOutcome(carrier: WorkCarrier, handover: Handover, outcome: CarrierOutcome): void {
    judge(carrier, handover, outcome);
    if (!this.#inFlight.has(handover.batch)) this.#inFlight.forget(handover);
    else if (outcome.kind === "deferred") this.#defer(carrier, handover, outcome);
    else this.#answer(handover, outcome);
  }

  /** Hands over nothing more of a batch. What is in carriers' hands is awaited, the rest goes back as it is. */
  stopBatch(batch: LiveBatch): void {
    if (batch.isStopping || !this.#inFlight.has(batch)) return;
    this.#inFlight.stop(batch);
    this.#withdraw(batch);
    this.#outbox.addBatch(batch);
  }

  /** Forgets a batch that is recorded whole, or given back. */
  endBatch(batch: LiveBatch): void {
    this.#withdraw(batch);
    this.#inFlight.end(batch);
  }

  /** Forgets a batch that another worker has. */
  loseBatch(batch: LiveBatch): void {
    this.#withdraw(batch);
    this.#inFlight.lose(batch);
  }

  /** Moves work away from carriers that cannot do it here now. Called once a second, and when a link changes. */
  rebalance(): void {
    const nowMs = performance.now();
    for (const carrier of this.#carriers) {
      carrier.noteLink(nowMs);
      if (carrier.isUsable(nowMs)) continue;
      for (const share of carrier.shares) this.#moveShare(carrier, share);
      for (const handover of carrier.retries.drain()) this.#reroute(carrier, handover);
    }
  }

  #route(batch: LiveBatch, offsets: readonly number[]): void {
    const byTiers = new Map<readonly Tier<WorkCarrier>[], number[]>();
    for (const offset of offsets) {
      const tiers = this.#tiersFor(batch, offset);
      const same = byTiers.get(tiers);
      if (same === undefined) byTiers.set(tiers, [offset]);
      else same.push(offset);
    }
    const unrouted: Tier<WorkCarrier>[] = [];
    for (const [tiers, alike] of byTiers) {
      const carrier = this.#choose(tiers, batch.phoneNos[alike[0] ?? 0] ?? 0);
      if (carrier !== undefined) carrier.addShare(this.#inFlight.assign(batch, alike, carrier));
      else if (tiers.length > 0) unrouted.push(...tiers);
      else
        for (const offset of alike) this.answerWithoutCarrier(batch, offset, { kind: "refused", reason: "no-route" });
    }
    if (unrouted.length === 0) return;
    // Another worker finds it in the queue. What nobody can send now waits beside the queue: there it would stand before everything that can be sent.
    if (!batch.isTest && unrouted.some((tier) => tier.some((carrier) => carrier.isUpElsewhere)))
      this.#blockedUntilMs.set(batch.lane, performance.now() + deliveryTimesMs.laneBlock);
    else if (!batch.isTest)
      this.#inFlight.waitFor(batch, [...new Set(unrouted.flat().map(({ facts }) => facts.carrierId))]);
    this.#withRemainder.add(batch);
    this.#returnRemainder(batch);
  }

  #tiersFor(batch: LiveBatch, offset: number): readonly Tier<WorkCarrier>[] {
    if (batch.isTest) return this.#testTiers;
    const routes = batch.dndOffsets.includes(offset)
      ? this.#routes.dnd
      : this.#routes.of(batch.lane < 0 ? "transactional" : "promotional");
    return routes.tiersFor(batch.phoneNos[offset] ?? 0);
  }

  #returnRemainders(): void {
    for (const batch of this.#withRemainder) this.#returnRemainder(batch);
  }

  /** Stops a batch of which only recipients are left that cannot be sent from here now. */
  #returnRemainder(batch: LiveBatch): void {
    const isBusy = this.#inFlight.busyCount(batch) > 0 || this.#carriers.some((carrier) => carrier.retries.has(batch));
    if (!isBusy && !this.#inFlight.hasShares(batch)) this.stopBatch(batch);
  }

  /** @returns undefined when no carrier can be used here now, or the best ones stand at another worker. */
  #choose(tiers: readonly Tier<WorkCarrier>[], phoneNo: number, except?: WorkCarrier): WorkCarrier | undefined {
    const nowMs = performance.now();
    for (const tier of tiers) {
      const usable = tier.filter((carrier) => carrier !== except && carrier.isUsable(nowMs));
      if (usable.length > 0) {
        const cheapest = pickCheapest(usable, phoneNo, (carrier) => carrier.health.weightFactor(nowMs) === 1);
        return pickByWeight(cheapest, (carrier) => carrier.weight(nowMs), Math.random());
      }
      // Going round a carrier that another worker can reach would only spoil its order and its price.
      if (tier.some((carrier) => carrier.isUpElsewhere)) return undefined;
    }
    return undefined;
  }

  /** Records the fate of a recipient that no carrier has in hand here. */
  answerWithoutCarrier(batch: LiveBatch, offset: number, answer: Answer): void {
    const recipient = new Recipient(batch, offset);
    this.#inFlight.answer(recipient);
    this.#outbox.addAnswer(recipient, answer);
  }

  #hand(carrier: WorkCarrier, handover: Handover): void {
    const { batch, offset } = handover;
    const { message } = batch;
    this.#inFlight.hand(handover);
    // A carrier that has some of its parts is given the others: half a message helps nobody.
    if (batch.isLeftOut(offset) && !handover.isPartial) {
      this.answerWithoutCarrier(batch, offset, { kind: "optedOut" });
      return;
    }
    if (message.isUnreadable) {
      this.answerWithoutCarrier(batch, offset, { kind: "refused", reason: "unreadable" });
      return;
    }
    if (message.isOver() && !handover.isPartial) {
      this.#inFlight.defer(handover);
      this.stopBatch(batch);
      this.#putBack(handover);
      return;
    }
    const classIndex = classOfLane(batch.lane);
    carrier.figures.submitted(classIndex);
    if (handover.tries === 0)
      carrier.figures.took("acceptToWire", classIndex, handover.handedAtMs - message.startedAtMs);
    carrier.link.take(handover, {
      messageId: message.messageId,
      position: handover.position,
      senderName: message.senderName,
      phoneNo: String(batch.phoneNos[offset]),
      text: batch.textFor(offset, carrier.link),
    });
  }

  #answer(handover: Handover, answer: Answer): void {
    this.#inFlight.answer(handover);
    if (answer.kind === "accepted") this.#matcher.onAccepted(handover, answer.keys);
    this.#outbox.addAnswer(handover, answer);
  }

  #defer(carrier: WorkCarrier, handover: Handover, outcome: Extract<CarrierOutcome, { kind: "deferred" }>): void {
    handover.isPartial = outcome.isPartial;
    if (outcome.isFault) handover.tries += 1;
    if (handover.tries >= deliveryLimits.faultTriesMax)
      return this.#answer(handover, { kind: "refused", reason: outcome.reason });
    this.#inFlight.defer(handover);
    if (handover.batch.isStopping) return this.#putBack(handover);
    const nowMs = performance.now();
    if (!outcome.isPartial && !carrier.isUsable(nowMs)) return this.#reroute(carrier, handover);
    const afterMs = outcome.isFault
      ? Math.min(outcome.afterMs * 2 ** (handover.tries - 1), deliveryTimesMs.faultPauseMax)
      : outcome.afterMs;
    carrier.retries.add(handover, nowMs + afterMs);
  }

  /** A hand-over of a stopping batch that its carrier does not have. */
  #putBack(handover: Handover): void {
    // Some of its parts are in the phone's hands or will be: it cannot be sent from the start again.
    if (handover.isPartial) return this.#answer(handover, { kind: "unknown" });
    this.#inFlight.putBack(handover);
    if (this.#inFlight.busyCount(handover.batch) === 0) this.#outbox.addBatch(handover.batch);
  }

  /** Takes what waits to be handed over back from the carriers. */
  #withdraw(batch: LiveBatch): void {
    for (const carrier of this.#carriers) {
      for (const share of carrier.removeShares(batch)) this.#inFlight.unassign(share);
      for (const handover of carrier.retries.drain(batch)) this.#putBack(handover);
    }
    this.#withRemainder.delete(batch);
  }

  #moveShare(from: WorkCarrier, share: Share): void {
    const { batch } = share;
    // Another share of the same batch may just have stopped it, and withdrawn this one.
    if (batch.isStopping) return;
    const first = share.offsets[share.handedCount];
    if (first === undefined) return;
    const to = this.#choose(this.#tiersFor(batch, first), batch.phoneNos[first] ?? 0, from);
    if (to === undefined) {
      // With a bind of ours it will come back to us; without one another worker may have it.
      if (from.bindIndexes.length === 0) this.stopBatch(batch);
      return;
    }
    from.dropShare(share);
    to.addShare(this.#inFlight.assign(batch, this.#inFlight.unassign(share), to));
  }

  /** Sends on by another carrier what this one certainly does not have. */
  #reroute(from: WorkCarrier, handover: Handover): void {
    const { batch, offset } = handover;
    // Another one of the same batch may just have stopped it; what is given back must not go out here as well.
    if (batch.isStopping) return this.#putBack(handover);
    const to = handover.isPartial
      ? undefined
      : this.#choose(this.#tiersFor(batch, offset), batch.phoneNos[offset] ?? 0, from);
    if (to !== undefined) {
      to.retries.addReady(this.#inFlight.reroute(handover, to));
      return;
    }
    from.retries.add(handover, performance.now() + deliveryTimesMs.heartbeat);
    if (from.bindIndexes.length === 0) this.stopBatch(batch);
  }
}

function judge(carrier: WorkCarrier, { handedAtMs, batch }: Handover, outcome: CarrierOutcome): void {
  const nowMs = performance.now();
  const classIndex = classOfLane(batch.lane);
  carrier.figures.answered(classIndex, outcome.kind);
  if (outcome.kind === "accepted" || outcome.kind === "refused") {
    carrier.answeredCount += 1;
    carrier.figures.took("submitToAnswer", classIndex, nowMs - handedAtMs);
    if (nowMs - handedAtMs > SLOW_ANSWER_MS) carrier.health.recordBad(nowMs);
    else carrier.health.recordGood(nowMs);
  } else if (outcome.kind === "unknown") {
    carrier.health.recordBad(nowMs);
  } else if (outcome.isFault) {
    carrier.health.recordFault(nowMs);
  }
}
