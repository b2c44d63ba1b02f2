import type { CarrierReport } from "../carriers/carrier.ts";
import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import { deliveryStates } from "../states.ts";
import { HandoverPart, type Handover } from "../engine/live-batch.ts";
import type { Outbox, StrayReport } from "./outbox.ts";
import { RecentKeys } from "./recent-keys.ts";
import type { WorkCarrier } from "../engine/work-carrier.ts";

export type ReportDeskOwner = {
  outbox: () => Outbox;
  onFlushNeeded: () => void;
};

/**
 * Leads delivery reports to what they are about: by the keys of recent messages in memory, else by the database's index.
 * A report is acknowledged only when what it says is committed.
 */
export class ReportDesk {
  readonly #owner: ReportDeskOwner;
  /** By carrier: ids repeat between carriers, and joining the two into one text would cost half of the memory again. */
  readonly #recent = new Map<number, RecentKeys<Handover | HandoverPart>>();
  /** Reports that matched nothing, by carrier and key: the answer they overtook may come any moment. */
  readonly #early = new Map<string, StrayReport[]>();

  constructor(owner: ReportDeskOwner) {
    this.#owner = owner;
  }

  /** The carrier's ids of an accepted message are known now; reports may have come before. */
  onAccepted(handover: Handover, keys: readonly string[]): void {
    if (keys.length > 1) handover.allParts = 2 ** keys.length - 1;
    const { carrierId } = handover.carrier.facts;
    for (const [partIndex, key] of keys.entries()) {
      const target = keys.length > 1 ? new HandoverPart(handover, partIndex) : handover;
      this.#recentOf(carrierId).set(key, target);
      if (this.#early.size === 0) continue;
      const name = keyName(carrierId, key);
      const early = this.#early.get(name);
      if (early === undefined) continue;
      this.#early.delete(name);
      for (const { report } of early) this.#apply(target, report);
    }
  }

  onReport(carrier: WorkCarrier, report: CarrierReport): void {
    const { carrierId, name } = carrier.facts;
    const target = report.key === "" ? undefined : this.#recentOf(carrierId).get(report.key);
    const handover = target instanceof HandoverPart ? target.handover : target;
    if (target !== undefined && handover !== undefined && (!handover.batch.isLost || handover.isRecorded)) {
      this.#apply(target, report);
      return;
    }
    this.#owner.outbox().strays.push({ carrierId, carrierName: name, report, arrivedAtMs: performance.now() });
    this.#owner.onFlushNeeded();
  }

  /** Keeps what a flush could not match; `sweep` brings it up again. */
  keepEarly(strays: readonly StrayReport[]): void {
    for (const stray of strays) {
      const { key } = stray.report;
      const name = keyName(stray.carrierId, key);
      const target = key === "" ? undefined : this.#recentOf(stray.carrierId).get(key);
      if (target !== undefined) {
        this.#apply(target, stray.report);
        continue;
      }
      const same = this.#early.get(name);
      if (same === undefined) this.#early.set(name, [stray]);
      else same.push(stray);
    }
  }

  /** A few times a second: looks the early ones up again. The flush stores those that have waited long enough. */
  sweep(): void {
    if (this.#early.size === 0) return;
    const nowMs = performance.now();
    for (const [name, strays] of this.#early) {
      if (strays.some(({ arrivedAtMs }) => nowMs - arrivedAtMs < deliveryTimesMs.earlyLookup)) continue;
      this.#early.delete(name);
      this.#owner.outbox().strays.push(...strays);
    }
    this.#owner.onFlushNeeded();
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
    const handover = target instanceof HandoverPart ? target.handover : target;
    const part = target instanceof HandoverPart ? 2 ** target.partIndex : 1;
    if (report.state === "waiting" || report.state === "lost") {
      report.acknowledge();
      return;
    }
    const outbox = this.#owner.outbox();
    outbox.acknowledgeable.push(report);
    this.#owner.onFlushNeeded();
    // The first final report stands; a second one is acknowledged and says nothing new.
    if (handover.failure !== undefined || handover.isDelivered) return;
    if (report.state === "delivered") handover.deliveredParts |= part;
    else handover.failure = { state: deliveryStates[report.state], errorCode: report.errorCode };
    if (handover.isPlanned) outbox.reported.add(handover);
  }
}

function keyName(carrierId: number, key: string): string {
  return `${carrierId}:${key}`;
}
