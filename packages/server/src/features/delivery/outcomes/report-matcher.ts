import type { CarrierReport } from "../carriers/carrier.ts";
import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import type { Handover, HoldingCarrier } from "../engine/in-flight.ts";
import type { Outbox, UnmatchedReport } from "../engine/outbox.ts";
import { classOfLane, figuresOf } from "../figures/figures.ts";
import { deliveryStates } from "../states.ts";
import { RecentKeys } from "./recent-keys.ts";

/** One part of a long message; a short one's key leads to its hand-over itself. */
class HandoverPart {
  readonly handover: Handover;
  readonly partIndex: number;

  constructor(handover: Handover, partIndex: number) {
    this.handover = handover;
    this.partIndex = partIndex;
  }
}

/**
 * Matches delivery reports with what they are about: by the keys of recent messages in memory, else by the database's index.
 * A report is acknowledged only when what it says is committed.
 */
export class ReportMatcher {
  readonly #outbox: Outbox;
  /** By carrier: ids repeat between carriers, and joining the two into one text would cost half of the memory again. */
  readonly #recent = new Map<number, RecentKeys<Handover | HandoverPart>>();
  /** Reports that matched nothing, by carrier and key: the answer they overtook may come any moment. */
  readonly #early = new Map<string, UnmatchedReport[]>();

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** The carrier's ids of an accepted message are known now; reports may have come before. */
  onAccepted(handover: Handover, keys: readonly string[]): void {
    if (keys.length > 1) handover.allParts = 2 ** keys.length - 1;
    const { carrierId } = handover.carrier.facts;
    const recent = this.#recentOf(carrierId);
    for (let partIndex = 0; partIndex < keys.length; partIndex += 1) {
      const key = keys[partIndex] ?? "";
      const target = keys.length > 1 ? new HandoverPart(handover, partIndex) : handover;
      recent.set(key, target);
      if (this.#early.size === 0) continue;
      const name = keyName(carrierId, key);
      const early = this.#early.get(name);
      if (early === undefined) continue;
      this.#early.delete(name);
      for (const { report } of early) this.#apply(target, report);
    }
  }

  onReport(carrier: HoldingCarrier, report: CarrierReport): void {
    const { carrierId, name } = carrier.facts;
    const target = this.#targetOf(carrierId, report.key);
    const figures = figuresOf(name);
    if (target !== undefined) {
      figures.reported(classOfLane(handoverOf(target).batch.lane), report.state);
      this.#apply(target, report);
      return;
    }
    figures.reported(undefined, report.state);
    this.#outbox.addUnmatched([{ carrierId, carrierName: name, report, arrivedAtMs: performance.now() }]);
  }

  /**
   * What the report says is committed: a further one about the same part is rare, and the database tells that it says nothing new. Remembered
   * for it, each hand-over would grow old before it is collected.
   */
  onReported({ carrier }: Handover, { key }: CarrierReport): void {
    this.#recentOf(carrier.facts.carrierId).delete(key);
  }

  /** Keeps what a flush could not match; `sweep` looks it up again. */
  keepEarly(unmatched: readonly UnmatchedReport[]): void {
    for (const early of unmatched) {
      const { key } = early.report;
      const name = keyName(early.carrierId, key);
      const target = this.#targetOf(early.carrierId, key);
      if (target !== undefined) {
        this.#apply(target, early.report);
        continue;
      }
      const same = this.#early.get(name);
      if (same === undefined) this.#early.set(name, [early]);
      else same.push(early);
    }
  }

  /** A few times a second: looks the early ones up again. The flush stores those that have waited long enough. */
  sweep(): void {
    if (this.#early.size === 0) return;
    const nowMs = performance.now();
    for (const [name, early] of this.#early) {
      if (early.some(({ arrivedAtMs }) => nowMs - arrivedAtMs < deliveryTimesMs.earlyLookup)) continue;
      this.#early.delete(name);
      this.#outbox.addUnmatched(early);
    }
  }

  /** What this worker recorded, or will. An answer whose batch it lost before that is another worker's to judge. */
  #targetOf(carrierId: number, key: string): Handover | HandoverPart | undefined {
    const target = key === "" ? undefined : this.#recentOf(carrierId).get(key);
    const handover = target && handoverOf(target);
    return handover !== undefined && (!handover.batch.isLost || handover.isRecorded) ? target : undefined;
  }

  #recentOf(carrierId: number): RecentKeys<Handover | HandoverPart> {
    let recent = this.#recent.get(carrierId);
    if (recent === undefined) {
      recent = new RecentKeys(deliveryLimits.recentKeysMax);
      this.#recent.set(carrierId, recent);
    }
    return recent;
  }

  #apply(target: Handover | HandoverPart, report: CarrierReport): void {
    const handover = handoverOf(target);
    const part = target instanceof HandoverPart ? 2 ** target.partIndex : 1;
    if (report.state === "waiting" || report.state === "lost") {
      report.acknowledge();
      return;
    }
    // The first final report stands; a second one is acknowledged and says nothing new.
    const isNews = handover.failure === undefined && !handover.isDelivered;
    if (isNews) {
      const { carrier, batch, handedAtMs } = handover;
      const tookMs = performance.now() - handedAtMs;
      figuresOf(carrier.facts.name).took("submitToReport", classOfLane(batch.lane), tookMs);
    }
    if (isNews && report.state === "delivered") handover.deliveredParts |= part;
    else if (isNews && report.state !== "delivered")
      handover.failure = { state: deliveryStates[report.state], errorCode: report.errorCode };
    this.#outbox.addReport(report, handover, isNews && handover.isPlanned);
  }
}

function handoverOf(target: Handover | HandoverPart): Handover {
  return target instanceof HandoverPart ? target.handover : target;
}

function keyName(carrierId: number, key: string): string {
  return `${carrierId}:${key}`;
}
