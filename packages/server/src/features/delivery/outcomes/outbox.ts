/** What waits for the next flush. */
import type { CarrierReport } from "../carriers/carrier.ts";
import type { Answer, UnroutableRecipient } from "../engine/dispatcher.ts";
import type { Handover, LiveBatch } from "../engine/live-batch.ts";

export type AnsweredRecipient = { recipient: Handover | UnroutableRecipient; answer: Answer };

/** A report whose message is not in memory. */
export type StrayReport = {
  carrierId: number;
  carrierName: string;
  report: CarrierReport;
  arrivedAtMs: number;
};

export class Outbox {
  answered: AnsweredRecipient[] = [];
  /** Recorded recipients whose reports say more than their rows. */
  reported = new Set<Handover>();
  strays: StrayReport[] = [];
  /** Reports that may be acknowledged once everything above is committed. */
  acknowledgeable: CarrierReport[] = [];
  /** Batches that may have to be given back, or of which intents are due, without any answer. */
  touched = new Set<LiveBatch>();

  get isEmpty(): boolean {
    return (
      this.answered.length === 0 &&
      this.reported.size === 0 &&
      this.strays.length === 0 &&
      this.acknowledgeable.length === 0 &&
      this.touched.size === 0
    );
  }
}
