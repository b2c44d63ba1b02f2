import type { CarrierReport } from "../carriers/carrier.ts";
import { deliveryLimits } from "../delivery-limits.ts";
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
  /** Reports that may be acknowledged once everything above is committed, if what they are about is recorded by then. */
  acknowledgeable: CarrierReport[] = [];
  /** What each of them is about. */
  acknowledgedFor: Handover[] = [];
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

/** Which flushes take it: those of answers, for which carriers wait, or those of reports. */
export type Lane = "answers" | "reports";

/** What waits for the next flushes. Whoever puts something in wakes the flusher of that lane. */
export class Outbox {
  readonly #contents: Record<Lane, OutboxContents> = { answers: new OutboxContents(), reports: new OutboxContents() };
  /** Reports about answers that are being recorded. */
  #waiting: { report: CarrierReport; handover: Handover; needsUpdate: boolean }[] = [];
  /** The flushers'. */
  readonly onWake: Record<Lane, (isUrgent: boolean) => void> = { answers: () => undefined, reports: () => undefined };
  /** The granter's. */
  onGrantsWanted: () => void = () => undefined;

  isEmpty(lane: Lane): boolean {
    return this.#contents[lane].isEmpty;
  }

  /** A flush of answers may have something to do: something was put in. Cheap to call for every recipient. */
  wake(): void {
    this.onWake.answers(false);
  }

  /** A carrier has room and nothing that may be handed over: the next flush of answers makes room for intents. */
  hurry(): void {
    this.onWake.answers(true);
  }

  /** Intents may be granted. */
  askForGrants(): void {
    this.onGrantsWanted();
  }

  addAnswer(recipient: Recipient, answer: Answer): void {
    this.#contents.answers.answered.push({ recipient, answer });
    this.wake();
  }

  /**
   * A report goes with its answer when that is not on its way yet; else it is written and acknowledged once the answer is recorded.
   *
   * @param needsUpdate the answer that the report is about is recorded already, or about to be, without what the report says.
   */
  addReport(report: CarrierReport, handover: Handover, needsUpdate: boolean): void {
    if (!handover.isPlanned) {
      this.#contents.answers.acknowledgeable.push(report);
      this.#contents.answers.acknowledgedFor.push(handover);
      this.wake();
    } else if (handover.isRecorded || handover.batch.isLost) {
      this.#addRecorded(report, handover, needsUpdate);
      this.#wakeReports();
    } else {
      this.#waiting.push({ report, handover, needsUpdate });
    }
  }

  /** A flush of answers is over: reports that waited for what it recorded may be written. */
  releaseReports(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { report, handover, needsUpdate } of waiting) this.addReport(report, handover, needsUpdate);
  }

  #addRecorded(report: CarrierReport, handover: Handover, needsUpdate: boolean): void {
    const { reports } = this.#contents;
    reports.acknowledgeable.push(report);
    reports.acknowledgedFor.push(handover);
    // Of a batch that was lost before, the answer is another worker's, and so is its report.
    if (needsUpdate && handover.isRecorded) reports.reported.add(handover);
  }

  addUnmatched(reports: readonly UnmatchedReport[]): void {
    this.#contents.reports.unmatched.push(...reports);
    this.#wakeReports();
  }

  /** A carrier sends no more reports while many of them are unacknowledged, 1,000 by a usual window. */
  #wakeReports(): void {
    const { acknowledgeable, unmatched } = this.#contents.reports;
    this.onWake.reports(acknowledgeable.length + unmatched.length >= deliveryLimits.reportsHurry);
  }

  addBatch(batch: LiveBatch): void {
    this.#contents.answers.touched.add(batch);
    this.wake();
  }

  /** @param unmatchedMax more unmatched reports than a statement should look up at once wait for the next flush. */
  take(lane: Lane, unmatchedMax: number): OutboxContents {
    const taken = this.#contents[lane];
    this.#contents[lane] = new OutboxContents();
    this.#contents[lane].unmatched = taken.unmatched.splice(unmatchedMax);
    return taken;
  }
}
