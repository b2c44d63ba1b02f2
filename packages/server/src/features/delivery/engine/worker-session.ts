import type { QuietHours } from "@ewebal/contract";
import type { Logger } from "pino";
import type { Clock } from "../../../base/deps.ts";
import type { Db } from "../../../db/pool.ts";
import { Timers } from "../../../jobs/timers.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { expireMessages } from "../queue/expire-messages.ts";
import { startDueMessages, type MayStart, type SendRepeated } from "../queue/start-due-messages.ts";
import { CarrierPool, type CarrierDefinition } from "./routing/carrier-pool.ts";
import { ChangeNotifier, type MessageChange } from "./change-notifier.ts";
import { Claimer, refuseSealed, type OpenBodies } from "./claimer.ts";
import { Dispatcher } from "./dispatcher.ts";
import { HttpReportInbox } from "../carriers/http/http-report-inbox.ts";
import { Flusher } from "./flusher.ts";
import { Granter } from "./granter.ts";
import { InboundReceiver } from "../inbound/inbound-receiver.ts";
import { endWaitingParts, storeLookAlikes, type TellInbox } from "../inbound/store-inbound.ts";
import { InFlight } from "./in-flight.ts";
import { Outbox } from "./outbox.ts";
import { QuietLanes } from "./quiet-lanes.ts";
import { ReportMatcher } from "../outcomes/report-matcher.ts";
import { ReportHorizon } from "../outcomes/report-horizon.ts";
import { releaseUnknown, settleEarlyReports } from "../outcomes/settle-early-reports.ts";
import { WorkerLease } from "./worker-lease.ts";

export type SessionSettings = {
  /** All carriers of this moment; asked once a second. */
  readCarriers: () => Promise<readonly CarrierDefinition[]>;
  /** What this worker sees of its carriers has changed. */
  onCarrierHealth?: () => void;
  isRefundingFailed: boolean;
  onChange: (change: MessageChange) => void;
  mayStart?: MayStart;
  /** When promotional messages may leave; at any time when absent. */
  readQuietHours?: (() => Promise<readonly QuietHours[]>) | undefined;
  /** By which they do; the machine's when absent. */
  clock?: Clock;
  sendRepeated?: SendRepeated;
  tellInbox?: TellInbox;
  /** Absent: no sealed text can be read, so that none is sent. */
  openBodies?: OpenBodies;
  /** Outlives a session: the next one judges by what this one knew. */
  mark: SendMark;
};

const RETRY_SWEEP_MS = 50;
const EARLY_SWEEP_MS = 100;
const HORIZON_INTERVAL_MS = 30_000;
const DRAIN_POLL_MS = 10;
const INBOUND_SWEEP_MS = 60_000;
const RELEASE_SWEEP_MS = 5_000;
const TEST_REPORT_MS = 250;
const HTTP_REPORT_MS = 100;
const HTTP_REPORTS = "reports over HTTP";

/**
 * A worker from its row in the database to its end, wanted or not: the parts of the engine, their timers and their start and stop.
 *
 * started -> stop() -> drained and struck off; started -> lost (another worker took over) -> abandoned.
 */
export class WorkerSession {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #settings: SessionSettings;
  readonly #lease: WorkerLease;
  readonly #inFlight = new InFlight();
  readonly #outbox = new Outbox();
  readonly #matcher = new ReportMatcher(this.#outbox);
  readonly #pool: CarrierPool;
  readonly #quietLanes: QuietLanes;
  readonly #dispatcher: Dispatcher;
  readonly #claimer: Claimer;
  readonly #granter: Granter;
  readonly #flusher: Flusher;
  readonly #reportFlusher: Flusher;
  readonly #inbound: InboundReceiver;
  readonly #httpReports: HttpReportInbox;
  readonly #notifier: ChangeNotifier;
  readonly #timers: Timers;
  readonly #horizon = new ReportHorizon();
  readonly #lost = Promise.withResolvers<void>();
  #isOver = false;

  constructor(db: Db, log: Logger, settings: SessionSettings) {
    this.#db = db;
    this.#settings = settings;
    this.#lease = new WorkerLease(db, log, {
      onWork: () => this.#claimer.kick(),
      onHours: () => this.#timers.run("quiet hours", () => this.#readHours()),
      onOptOut: () => this.#claimer.checkOptOuts(),
      onLost: () => this.#lost.resolve(),
    });
    const { workerId } = this.#lease;
    this.#log = log.child({ workerId });
    this.#notifier = new ChangeNotifier(settings.onChange);
    this.#timers = new Timers((name, error) =>
      this.#log.warn({ err: error, task: name }, "a task of the worker failed and comes again"),
    );
    // From the queue to the wire: the claimer leases batches, the granter commits the intents of their recipients, the dispatcher gives those
    // to carriers and takes the answers, the flusher commits what came of them. What they have in hand is in `#inFlight`, what is to be committed in `#outbox`.
    const handUntilMs = (): number => this.#lease.handUntilMs;
    this.#quietLanes = new QuietLanes(settings.clock ?? { now: () => new Date() });
    const quietLanes = this.#quietLanes;
    this.#dispatcher = new Dispatcher(this.#inFlight, this.#outbox, this.#matcher, handUntilMs, quietLanes);
    const { mark: sendMark, openBodies = refuseSealed } = settings;
    const claims = { workerId, mark: sendMark, handUntilMs, quietLanes, openBodies };
    this.#claimer = new Claimer(db, this.#log, claims, this.#inFlight, this.#dispatcher);
    const { isRefundingFailed, mark } = settings;
    const flushes = { workerId, isRefundingFailed, horizon: this.#horizon, mark };
    const flushParts = {
      inFlight: this.#inFlight,
      outbox: this.#outbox,
      dispatcher: this.#dispatcher,
      matcher: this.#matcher,
      grantsSettled: () => this.#granter.settled(),
    };
    this.#granter = new Granter(
      db,
      this.#log,
      { workerId, mark },
      {
        inFlight: this.#inFlight,
        outbox: this.#outbox,
        dispatcher: this.#dispatcher,
        isRecording: (batch) => this.#flusher.isRecording(batch),
      },
    );
    this.#flusher = new Flusher(db, this.#log, "answers", flushes, {
      ...flushParts,
      onFlushed: (changed) => {
        this.#notifier.notify(changed);
        this.#dispatcher.proceed();
        this.#claimer.kickForRoom();
      },
    });
    this.#reportFlusher = new Flusher(db, this.#log, "reports", flushes, {
      ...flushParts,
      onFlushed: (changed) => this.#notifier.notify(changed),
    });
    this.#httpReports = new HttpReportInbox(db, this.#matcher);
    this.#inbound = new InboundReceiver(db, this.#log, settings.tellInbox);
    this.#pool = new CarrierPool(
      db,
      this.#log,
      { workerId, readDefinitions: settings.readCarriers, onHealth: () => settings.onCarrierHealth?.() },
      {
        inFlight: this.#inFlight,
        dispatcher: this.#dispatcher,
        claimer: this.#claimer,
        matcher: this.#matcher,
        inbound: this.#inbound,
      },
    );
  }

  /** Resolves when another worker has declared this one dead. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** @returns what a look inside shows, for health pages, benchmarks and tests. */
  stats(): {
    workerId: string;
    batches: number;
    flushes: number;
    answers: number;
    reports: number;
    unrecorded: number;
  } {
    const unrecorded = this.#pool.carriers.reduce((sum, carrier) => sum + this.#inFlight.unrecordedCount(carrier), 0);
    return {
      workerId: this.#lease.workerId,
      batches: this.#inFlight.batchCount,
      ...this.#flusher.stats,
      reports: this.#reportFlusher.stats.reports,
      unrecorded,
    };
  }

  async start(): Promise<void> {
    await this.#settings.mark.take();
    await this.#lease.start();
    await this.#lease.reapDeadWorkers();
    await this.#horizon.refresh(this.#db);
    // Before anything is claimed.
    await this.#readHours();
    await this.#pool.open();
    this.#timers.every("borders of quiet hours", RETRY_SWEEP_MS, () => this.#lookAtHours());
    this.#timers.every("retries", RETRY_SWEEP_MS, () => this.#dispatcher.sweepRetries());
    this.#timers.every("early reports in memory", EARLY_SWEEP_MS, () => this.#matcher.sweep());
    // Work is announced, and each heartbeat looks for what was not.
    this.#timers.every("claim", deliveryTimesMs.poll, () => {
      if (!this.#lease.isListening) this.#claimer.kick();
    });
    this.#timers.every("heartbeat", deliveryTimesMs.heartbeat, () => this.#beat());
    this.#timers.every("due messages", deliveryTimesMs.poll, () => this.#startDue());
    this.#timers.every("report horizon", HORIZON_INTERVAL_MS, () => this.#horizon.refresh(this.#db));
    this.#timers.every("parts of inbound messages", INBOUND_SWEEP_MS, () =>
      endWaitingParts(this.#db, this.#settings.tellInbox),
    );
    this.#timers.every("reports of tests", TEST_REPORT_MS, () => this.#pool.reportTests());
    this.#timers.every(HTTP_REPORTS, HTTP_REPORT_MS, () =>
      this.#pool.isCalledBack ? this.#httpReports.look() : undefined,
    );
    this.#timers.every("stored reports", deliveryTimesMs.heartbeat, () => this.#settle());
    this.#timers.every("deliveries that stay unknown", RELEASE_SWEEP_MS, () => this.#releaseUnknown());
    this.#claimer.kick();
  }

  /** Stops, unless the session is over already. */
  async end(): Promise<void> {
    if (!this.#isOver) await this.stop();
  }

  /** Claims nothing more, awaits what carriers have in hand, records everything, gives back leases and binds. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#timers.stop("claim", "due messages", "stored reports", "deliveries that stay unknown", "reports of tests");
    this.#dispatcher.stop();
    await this.#claimer.stop();
    const deadlineMs = performance.now() + deliveryTimesMs.drain;
    while (this.#inFlight.batchCount > 0 && performance.now() < deadlineMs) {
      await new Promise((done) => setTimeout(done, DRAIN_POLL_MS));
    }
    // Before the links close: what is recorded now can still be acknowledged.
    await this.#flusher.drain(deliveryTimesMs.drain);
    await this.#reportFlusher.drain(deliveryTimesMs.drain);
    await this.#inbound.stop();
    this.#httpReports.stop();
    // Whatever is still open then comes back as unknown.
    await this.#pool.close(Math.max(0, deadlineMs - performance.now()));
    this.#timers.stop();
    await this.#timers.settled();
    await this.#flusher.drain(deliveryTimesMs.drain);
    await this.#reportFlusher.drain(deliveryTimesMs.drain);
    await this.#httpReports.look();
    await Promise.all([this.#granter.stop(), this.#flusher.stop(), this.#reportFlusher.stop()]);
    this.#notifier.flush();
    await this.#lease.close();
  }

  /** After `lost`: writes nothing more, and lets go of the carriers. */
  async abandon(): Promise<void> {
    this.#isOver = true;
    this.#timers.stop();
    this.#dispatcher.abandon();
    await Promise.all([
      this.#claimer.stop(),
      this.#granter.stop(),
      this.#flusher.stop(),
      this.#reportFlusher.stop(),
      this.#inbound.stop(),
      this.#pool.close(0),
      this.#timers.settled(),
    ]);
    this.#lease.abandon();
    this.#notifier.flush();
  }

  async #beat(): Promise<void> {
    if (!(await this.#settings.mark.advance())) {
      this.#lease.lose();
      return;
    }
    if (!(await this.#lease.renew())) return;
    await this.#lease.reapDeadWorkers();
    await this.#readHours();
    this.#claimer.check();
    this.#dispatcher.rebalance();
    await this.#pool.sync();
    this.#dispatcher.pumpAll();
    // Also with no such carrier here: of one that was removed some may be left.
    this.#timers.run(HTTP_REPORTS, () => this.#httpReports.look());
  }

  async #readHours(): Promise<void> {
    const hours = await this.#settings.readQuietHours?.();
    if (hours !== undefined && this.#quietLanes.setHours(hours)) this.#useHours();
  }

  #lookAtHours(): void {
    if (this.#quietLanes.look()) this.#useHours();
  }

  /** Other lanes are closed than before: what may leave no more stops, what may now is claimed. */
  #useHours(): void {
    this.#dispatcher.stopQuietLanes();
    this.#claimer.kick();
  }

  async #startDue(): Promise<void> {
    this.#notifier.notify(await startDueMessages(this.#db, this.#settings.mayStart, this.#settings.sendRepeated));
    this.#notifier.notify(await expireMessages(this.#db));
  }

  async #settle(): Promise<void> {
    const { changed, droppedCount } = await settleEarlyReports(this.#db, {
      ...this.#settings,
      horizon: this.#horizon,
      keepTexts: (tx, texts) => storeLookAlikes(tx, texts, this.#settings.tellInbox),
    });
    this.#notifier.notify(changed);
    if (droppedCount > 0) this.#log.info({ droppedCount }, "delivery reports about nothing of ours were dropped");
  }

  async #releaseUnknown(): Promise<void> {
    const releasedCount = await releaseUnknown(this.#db);
    if (releasedCount > 0) this.#log.info({ releasedCount }, "units of deliveries that stay unknown were released");
  }
}
