import type { CarrierReport } from "../carriers/carrier.ts";
import type { Answer, Handover, LiveBatch, Recipient } from "./in-flight.ts";

export type AnsweredRecipient = { recipient: Recipient; answer: Answer };

/** A report whose message is not in memory. */
export type UnmatchedReport = {
  carrierId: number;
  carrierName: string;
  report: CarrierReport;
  arrivedAtMs: number;
};

/** What one flush takes along. */
export class OutboxContents {
  answered: AnsweredRecipient[] = [];
  /** Recorded recipients whose reports say more than their rows. */
  reported = new Set<Handover>();
  unmatched: UnmatchedReport[] = [];
  /** Reports that may be acknowledged once everything above is committed. */
  acknowledgeable: CarrierReport[] = [];
  /** Batches that may have to be given back, or of which intents are due, without any answer. */
  touched = new Set<LiveBatch>();

  get isEmpty(): boolean {
    return (
      this.answered.length === 0 &&
      this.reported.size === 0 &&
      this.unmatched.length === 0 &&
      this.acknowledgeable.length === 0 &&
      this.touched.size === 0
    );
  }
}

/** What waits for the next flush. Whoever puts something in wakes the flusher. */
export class Outbox {
  #contents = new OutboxContents();
  /** The flusher's. */
  onWake: () => void = () => undefined;

  get isEmpty(): boolean {
    return this.#contents.isEmpty;
  }

  /** A flush may have something to do: something was put in, or intents may be granted. Cheap to call for every recipient. */
  wake(): void {
    this.onWake();
  }

  addAnswer(recipient: Recipient, answer: Answer): void {
    this.#contents.answered.push({ recipient, answer });
    this.wake();
  }

  /** @param reported what the report is about, when that is recorded already and needs an update of its own. */
  addReport(report: CarrierReport, reported: Handover | undefined): void {
    this.#contents.acknowledgeable.push(report);
    if (reported !== undefined) this.#contents.reported.add(reported);
    this.wake();
  }

  addUnmatched(reports: readonly UnmatchedReport[]): void {
    this.#contents.unmatched.push(...reports);
    this.wake();
  }

  addBatch(batch: LiveBatch): void {
    this.#contents.touched.add(batch);
    this.wake();
  }

  /** @param unmatchedMax more unmatched reports than a statement should look up at once wait for the next flush. */
  take(unmatchedMax: number): OutboxContents {
    const taken = this.#contents;
    this.#contents = new OutboxContents();
    this.#contents.unmatched = taken.unmatched.splice(unmatchedMax);
    return taken;
  }
}
