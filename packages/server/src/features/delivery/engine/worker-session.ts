import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import type { CarrierHandlers } from "../carriers/carrier.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { startDueMessages, type MayStart } from "../queue/start-due-messages.ts";
import { CarrierPool, type CarrierDefinition } from "./carrier-pool.ts";
import { ChangeTeller, type MessageChange } from "./change-notifier.ts";
import { Claimer } from "./claimer.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Flusher } from "./flusher.ts";
import { InboundDesk } from "../inbound/inbound-receiver.ts";
import { endWaitingParts } from "../inbound/store-inbound.ts";
import { Handover, OFFSET, type LiveBatch } from "./live-batch.ts";
import { ReportDesk } from "../outcomes/report-matcher.ts";
import { ReportHorizon } from "../outcomes/report-horizon.ts";
import { releaseUnknown, settleEarlyReports } from "../outcomes/settle-early-reports.ts";
import { Timers } from "./timers.ts";
import type { WorkCarrier } from "./work-carrier.ts";
import { WorkerLease } from "./worker-lease.ts";

export type LifeSettings = {
  /** All carriers of this moment; asked once a second. */
  readCarriers: () => Promise<readonly CarrierDefinition[]>;
  /** What this worker sees of its carriers has changed. */
  onCarrierHealth?: () => void;
  isRefundingFailed: boolean;
  onChange: (change: MessageChange) => void;
  mayStart?: MayStart;
  /** Outlives a life: the next one judges by what this one knew. */
  mark: SendMark;
};

const RETRY_SWEEP_MS = 50;
const EARLY_SWEEP_MS = 100;
const HORIZON_INTERVAL_MS = 30_000;
const DRAIN_POLL_MS = 10;
const INBOUND_SWEEP_MS = 60_000;

/**
 * One life of a worker: from the row that says it lives to its end, wanted or not.
 *
 * started -> stop() -> drained and struck off; started -> lost (another worker took over) -> abandoned.
 */
export class WorkerLife {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #settings: LifeSettings;
  readonly #lease: WorkerLease;
  readonly #pool: CarrierPool;
  readonly #dispatcher: Dispatcher;
  readonly #claimer: Claimer;
  readonly #flusher: Flusher;
  readonly #desk: ReportDesk;
  readonly #inbound: InboundDesk;
  readonly #teller: ChangeTeller;
  readonly #timers: Timers;
  readonly #horizon = new ReportHorizon();
  readonly #lost = Promise.withResolvers<void>();
  #isOver = false;

  constructor(db: Db, log: Logger, settings: LifeSettings) {
    this.#db = db;
    this.#settings = settings;
    this.#lease = new WorkerLease(db, log, { onWork: () => this.#claimer.kick(), onLost: () => this.#lost.resolve() });
    const { workerId } = this.#lease;
    this.#log = log.child({ workerId });
    this.#teller = new ChangeTeller(settings.onChange);
    this.#timers = new Timers((name, error) =>
      this.#log.warn({ err: error, task: name }, "a task of the worker failed and comes again"),
    );
    this.#pool = new CarrierPool(db, this.#log, workerId, {
      readDefinitions: settings.readCarriers,
      handlersFor: (carrier) => this.#handlersFor(carrier),
      onCarriers: () => this.#useCarriers(),
      onHealth: () => settings.onCarrierHealth?.(),
    });
    this.#flusher = new Flusher(
      db,
      this.#log,
      { workerId, isRefundingFailed: settings.isRefundingFailed, horizon: this.#horizon, mark: settings.mark },
      this.#flusherOwner(),
    );
    this.#dispatcher = new Dispatcher({
      onAnswer: (recipient, answer) => {
        if (answer.kind === "accepted" && recipient instanceof Handover) this.#desk.onAccepted(recipient, answer.keys);
        this.#flusher.outbox.answered.push({ recipient, answer });
        this.#flusher.schedule();
      },
      onFlushNeeded: (batch) => this.#touch(batch),
      onGrantsWanted: () => this.#flusher.schedule(),
      onLaneBlocked: (lane) => this.#claimer.blockLane(lane),
      handUntilMs: () => this.#lease.handUntilMs,
    });
    this.#claimer = new Claimer(db, this.#log, this.#dispatcher, {
      workerId,
      mark: settings.mark,
      onClaimed: () => this.#onClaimed(),
    });
    this.#inbound = new InboundDesk(db, this.#log);
    this.#desk = new ReportDesk({ outbox: () => this.#flusher.outbox, onFlushNeeded: () => this.#flusher.schedule() });
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
    const unrecorded = this.#pool.carriers.reduce((sum, carrier) => sum + carrier.unrecordedCount, 0);
    return {
      workerId: this.#lease.workerId,
      batches: this.#dispatcher.batches.size,
      ...this.#flusher.stats,
      unrecorded,
    };
  }

  async start(): Promise<void> {
    await this.#settings.mark.take();
    await this.#lease.start();
    await this.#lease.buryDeadWorkers();
    await this.#pool.open();
    await this.#horizon.refresh(this.#db);
    this.#useCarriers();
    this.#timers.every("retries", RETRY_SWEEP_MS, () => this.#dispatcher.sweepRetries());
    this.#timers.every("early reports in memory", EARLY_SWEEP_MS, () => this.#desk.sweep());
    this.#timers.every("claim", deliveryTimesMs.poll, () => this.#claimer.kick());
    this.#timers.every("heartbeat", deliveryTimesMs.heartbeat, () => this.#beat());
    this.#timers.every("due messages", deliveryTimesMs.poll, () => this.#startDue());
    this.#timers.every("report horizon", HORIZON_INTERVAL_MS, () => this.#horizon.refresh(this.#db));
    this.#timers.every("parts of inbound messages", INBOUND_SWEEP_MS, () => endWaitingParts(this.#db));
    this.#timers.every("stored reports", deliveryTimesMs.heartbeat, () => this.#settle());
    this.#claimer.kick();
  }

  /** Stops, unless the life is over already. */
  async end(): Promise<void> {
    if (!this.#isOver) await this.stop();
  }

  /** Claims nothing more, awaits what carriers have in hand, records everything, gives back leases and binds. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#timers.stop("claim", "due messages", "stored reports");
    this.#dispatcher.stop();
    await this.#claimer.stop();
    const deadlineMs = performance.now() + deliveryTimesMs.drain;
    while (this.#dispatcher.batches.size > 0 && performance.now() < deadlineMs) {
      await new Promise((done) => setTimeout(done, DRAIN_POLL_MS));
    }
    // Before the links close: what is recorded now can still be acknowledged.
    await this.#flusher.drain(deliveryTimesMs.drain);
    await this.#inbound.stop();
    // Whatever is still open then comes back as unknown.
    await this.#pool.close(Math.max(0, deadlineMs - performance.now()));
    this.#timers.stop();
    await this.#timers.settled();
    await this.#flusher.drain(deliveryTimesMs.drain);
    await this.#flusher.stop();
    this.#teller.flush();
    await this.#lease.close();
  }

  /** After `lost`: writes nothing more, and lets go of the carriers. */
  async abandon(): Promise<void> {
    this.#isOver = true;
    this.#timers.stop();
    for (const batch of this.#dispatcher.batches) batch.isLost = true;
    await Promise.all([
      this.#claimer.stop(),
      this.#flusher.stop(),
      this.#inbound.stop(),
      this.#pool.close(0),
      this.#timers.settled(),
    ]);
    this.#lease.abandon();
    this.#teller.flush();
  }

  /** What a retiring carrier does not have yet goes to the others, or back into the queue. */
  #useCarriers(): void {
    this.#dispatcher.setCarriers(this.#pool.carriers);
    this.#dispatcher.rebalance();
    this.#claimer.kick();
  }

  #handlersFor(carrier: () => WorkCarrier): CarrierHandlers<Handover> {
    return {
      onOutcome: (handover, outcome) => this.#dispatcher.onOutcome(handover, outcome),
      onReport: (report) => this.#desk.onReport(carrier(), report),
      onInbound: (text) => this.#inbound.onInbound(carrier().facts.carrierId, text),
      onReady: () => this.#dispatcher.pump(carrier()),
      onLinkChange: () => {
        carrier().noteLink(performance.now());
        this.#claimer.kick();
      },
    };
  }

  #flusherOwner(): ConstructorParameters<typeof Flusher>[3] {
    return {
      requestGrants: () => this.#requestGrants(),
      onBatchEnd: (batch) => this.#dispatcher.removeBatch(batch),
      onStop: (batch) => this.#dispatcher.stopBatch(batch),
      onStraysWaiting: (strays) => this.#desk.keepEarly(strays),
      onFlushed: (changed) => {
        this.#teller.tell(changed);
        this.#dispatcher.pumpAll();
        this.#dispatcher.leaveRests();
        this.#claimer.kick();
        if (this.#wantsGrants()) this.#flusher.schedule();
      },
    };
  }

  #requestGrants(): Set<LiveBatch> {
    const batches = new Set<LiveBatch>();
    for (const carrier of this.#dispatcher.carriers) {
      carrier.requestGrants((share, count) => {
        for (let index = 0; index < count; index += 1) {
          const offset = share.offsets[share.requestedCount + index];
          if (offset !== undefined) share.batch.offsets[offset] = OFFSET.requested;
        }
        share.requestedCount += count;
        carrier.unrecordedCount += count;
        batches.add(share.batch);
      });
    }
    return batches;
  }

  #wantsGrants(): boolean {
    return this.#dispatcher.carriers.some((carrier) => carrier.wantsGrants());
  }

  #touch(batch: LiveBatch): void {
    this.#flusher.outbox.touched.add(batch);
    this.#flusher.schedule();
  }

  #onClaimed(): void {
    this.#dispatcher.pumpAll();
    if (this.#wantsGrants()) this.#flusher.schedule();
  }

  async #beat(): Promise<void> {
    if (!(await this.#settings.mark.advance())) {
      this.#lease.lose();
      return;
    }
    await this.#lease.renew();
    await this.#lease.buryDeadWorkers();
    this.#claimer.check();
    this.#dispatcher.rebalance();
    await this.#pool.sync();
    this.#dispatcher.pumpAll();
  }

  async #startDue(): Promise<void> {
    this.#teller.tell(await startDueMessages(this.#db, this.#settings.mayStart));
  }

  async #settle(): Promise<void> {
    const { changed, droppedCount } = await settleEarlyReports(this.#db, { ...this.#settings, horizon: this.#horizon });
    this.#teller.tell(changed);
    if (droppedCount > 0) this.#log.info({ droppedCount }, "delivery reports about nothing of ours were dropped");
    const releasedCount = await releaseUnknown(this.#db);
    if (releasedCount > 0) this.#log.info({ releasedCount }, "units of deliveries that stay unknown were released");
  }
}
