/**
 * The carrier of test mode: it takes what test keys send, hands nothing to anybody, and reports as the number says (`test-numbers.ts` of the
 * contract). To the engine it is a carrier like any other, so the same crash rules hold: it answers `accepted` only after the report that it
 * owes is stored, and keeps that report until it is acknowledged. A report that a dead worker took is reported by another.
 *
 * taken -> stored in test_report -> accepted -> due -> reported -> acknowledged (its row goes) | refused (due again)
 */
import { testOutcomeOf } from "@ewebal/contract";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../../db/pool.ts";
import type { Handover } from "../../engine/in-flight.ts";
import type { CarrierFacts } from "../../engine/routing/work-carrier.ts";
import { TEST_CARRIER_ID } from "../../states.ts";
import type { Carrier, CarrierHandlers, CarrierMessage, LinkHealth, PreparedText } from "../carrier.ts";
import { deleteReports, insertReports, takeDueReports, type OwedReport } from "./test-report-store.ts";

export const testCarrierFacts: CarrierFacts = {
  carrierId: TEST_CARRIER_ID,
  name: "(test mode)",
  prefixes: [],
  weight: 1,
  priority: 0,
  bindCount: 1,
  messagesPerSecond: 1_000,
  isTest: true,
};

const WINDOW_SIZE = 500;
/** A message that could not be stored is tried again after this; the database is away. */
const FAULT_PAUSE_MS = 1_000;
const REPORTS_PER_LOOK = 500;
/** Only reports that another worker left behind are found by a look without any of our own. */
const REST_LOOK_MS = 2_000;
/** A report is looked for as long after it is due; it may have been taken and not recorded. */
const OWED_MS = 30_000;
/** A report that nobody has acknowledged by then is reported again. */
const REPORT_AGAIN_MS = 10_000;

type Taken = { context: Handover; report: OwedReport & { afterMs: number } };

export class TestCarrier implements Carrier<Handover> {
  readonly name = testCarrierFacts.name;
  readonly windowSize = WINDOW_SIZE;
  readonly #db: Db;
  readonly #log: Logger;
  readonly #handlers: CarrierHandlers<Handover>;
  #taken: Taken[] = [];
  #openCount = 0;
  #storing: Promise<void> | undefined;
  #acknowledged: string[] = [];
  /** Until then reports of this worker's own tests may be due. */
  #owesUntilMs = 0;
  #lookedAtMs = 0;
  #isClosed = false;

  constructor(db: Db, log: Logger, handlers: CarrierHandlers<Handover>) {
    this.#db = db;
    this.#log = log;
    this.#handlers = handlers;
  }

  get isUp(): boolean {
    return !this.#isClosed;
  }

  get health(): LinkHealth {
    return { boundCount: this.isUp ? 1 : 0, openCount: this.#openCount, lastError: undefined };
  }

  async holdBinds(): Promise<void> {}

  prepare(): PreparedText {
    return { partCount: 1 };
  }

  canTake(): boolean {
    return this.isUp && this.#openCount < WINDOW_SIZE;
  }

  take(context: Handover, { phoneNo, senderName }: CarrierMessage): void {
    const { afterMs } = testOutcomeOf(phoneNo);
    this.#taken.push({ context, report: { carrierKey: uuidv7(), phoneNo: Number(phoneNo), senderName, afterMs } });
    this.#openCount += 1;
    this.#storing ??= this.#store();
  }

  /** One statement for all that were taken in the same turn of the event loop; what comes meanwhile goes with the next. */
  async #store(): Promise<void> {
    await new Promise((done) => setImmediate(done));
    while (this.#taken.length > 0) {
      const taken = this.#taken;
      this.#taken = [];
      const isStored = await this.#insert(taken);
      this.#openCount -= taken.length;
      for (const { context, report } of taken) {
        const outcome = isStored
          ? ({ kind: "accepted", keys: [report.carrierKey] } as const)
          : ({ kind: "deferred", afterMs: FAULT_PAUSE_MS, isPartial: false, isFault: false, reason: "" } as const);
        this.#handlers.onOutcome(context, outcome);
      }
      this.#handlers.onReady();
    }
    this.#storing = undefined;
  }

  async #insert(taken: readonly Taken[]): Promise<boolean> {
    // Some numbers are never reported on.
    const owed = taken
      .map(({ report }) => report)
      .filter(({ phoneNo }) => testOutcomeOf(String(phoneNo)).kind !== "silent");
    if (owed.length === 0) return true;
    try {
      await insertReports(this.#db, owed);
      const lastMs = Math.max(...owed.map(({ afterMs }) => afterMs));
      this.#owesUntilMs = Math.max(this.#owesUntilMs, performance.now() + lastMs + OWED_MS);
      return true;
    } catch (error) {
      this.#log.warn({ err: error }, "messages of tests could not be stored and are tried again");
      return false;
    }
  }

  /** Reports what is due, and forgets what was acknowledged. */
  async report(): Promise<void> {
    if (this.#isClosed) return;
    const acknowledged = this.#acknowledged;
    this.#acknowledged = [];
    if (acknowledged.length > 0) await deleteReports(this.#db, acknowledged);
    const nowMs = performance.now();
    if (nowMs > this.#owesUntilMs && nowMs < this.#lookedAtMs + REST_LOOK_MS) return;
    this.#lookedAtMs = nowMs;
    const due = await takeDueReports(this.#db, { limit: REPORTS_PER_LOOK, againMs: REPORT_AGAIN_MS });
    if (due.length === REPORTS_PER_LOOK) this.#owesUntilMs = Math.max(this.#owesUntilMs, nowMs + OWED_MS);
    for (const { carrierKey, phoneNo, senderName } of due) {
      const outcome = testOutcomeOf(String(phoneNo));
      this.#handlers.onReport({
        key: carrierKey,
        state: outcome.kind === "failed" ? "failed" : "delivered",
        errorCode: outcome.kind === "failed" ? outcome.errorCode : "",
        phoneNo,
        senderName,
        possibleText: undefined,
        acknowledge: () => void this.#acknowledged.push(carrierKey),
        refuse: () => undefined,
      });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#storing;
    const acknowledged = this.#acknowledged;
    this.#acknowledged = [];
    // Reported again otherwise, which changes nothing.
    if (acknowledged.length > 0)
      await deleteReports(this.#db, acknowledged).catch((error: unknown) =>
        this.#log.warn({ err: error }, "acknowledged reports of tests are reported again"),
      );
  }
}
