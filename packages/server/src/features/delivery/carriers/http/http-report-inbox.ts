/**
 * Brings stored reports of carriers over HTTP to the matcher, which treats them as it treats receipts over SMPP: found by the carrier's id, kept while
 * their answer is not recorded yet, applied once. A report's row goes when what it says is committed. Reports that a worker took and did not
 * record are due again, for any worker.
 */
import type { Db } from "../../../../db/pool.ts";
import type { ReportMatcher } from "../../outcomes/report-matcher.ts";
import type { CarrierReport } from "../carrier.ts";
import { deleteHttpReports, takeDueHttpReports, type StoredHttpReport } from "./http-report-store.ts";

const REPORTS_PER_LOOK = 1_000;
/** Taken and not recorded; a worker that is behind takes no more. */
const HELD_MAX = 5_000;
/** Early reports wait a second in memory, and a flush may take some. */
const AGAIN_MS = 30_000;

export class HttpReportInbox {
  readonly #db: Db;
  readonly #matcher: Pick<ReportMatcher, "onReport">;
  readonly #held = new Set<number>();
  #done: number[] = [];
  #isStopped = false;

  constructor(db: Db, matcher: Pick<ReportMatcher, "onReport">) {
    this.#db = db;
    this.#matcher = matcher;
  }

  /** Removes what was recorded, and takes what is due. */
  async look(): Promise<void> {
    await this.#forgetDone();
    for (;;) {
      if (this.#isStopped || this.#held.size >= HELD_MAX) return;
      const due = await takeDueHttpReports(this.#db, { limit: REPORTS_PER_LOOK, againMs: AGAIN_MS });
      for (const row of due) {
        // Due again while it is still in hand here: it is taken once.
        if (this.#held.has(row.reportId)) continue;
        this.#held.add(row.reportId);
        this.#matcher.onReport({ facts: { carrierId: row.carrierId, name: row.carrierName } }, this.#toReport(row));
      }
      if (due.length < REPORTS_PER_LOOK) return;
    }
  }

  /** Takes nothing more; what is recorded afterwards is still removed by `look`. */
  stop(): void {
    this.#isStopped = true;
  }

  #toReport({ reportId, key, state, errorCode, phoneNo, senderName }: StoredHttpReport): CarrierReport {
    return {
      key,
      state,
      errorCode,
      phoneNo: phoneNo ?? undefined,
      senderName,
      possibleText: undefined,
      acknowledge: () => void this.#done.push(reportId),
      refuse: () => void this.#held.delete(reportId),
    };
  }

  async #forgetDone(): Promise<void> {
    const done = this.#done;
    if (done.length === 0) return;
    this.#done = [];
    try {
      await deleteHttpReports(this.#db, done);
    } catch (error) {
      // The next look removes these rows. A report that is applied twice changes nothing, but its row would stay for ever.
      this.#done.push(...done);
      throw error;
    }
    for (const reportId of done) this.#held.delete(reportId);
  }
}
