import type { Logger } from "pino";
import type { Db } from "../../../../db/pool.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import type { Carrier, CarrierHandlers } from "../../carriers/carrier.ts";
import { upsertCarriers, upsertCarrierHealth, type WorkerHealth } from "../../carriers/carrier-store.ts";
import { TestCarrier, testCarrierFacts } from "../../carriers/test/test-carrier.ts";
import { deliveryTimesMs } from "../../delivery-limits.ts";
import type { InboundReceiver } from "../../inbound/inbound-receiver.ts";
import type { ReportMatcher } from "../../outcomes/report-matcher.ts";
import type { Claimer } from "../claimer.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { Handover, InFlight } from "../in-flight.ts";
import { WorkCarrier, type CarrierFacts } from "./work-carrier.ts";
import {
  countWorkers,
  giveBackBinds,
  selectBinds,
  selectCarriersUpElsewhere,
  takeBinds,
  updateLinkStates,
} from "../worker-store.ts";

/** A carrier, and how to reach it. */
export type CarrierDefinition = Omit<CarrierFacts, "carrierId"> & {
  connect: (handlers: CarrierHandlers<Handover>) => Carrier<Handover>;
};

export type CarrierPoolSettings = {
  workerId: string;
  /** All carriers of this moment; asked once a second. */
  readDefinitions: () => Promise<readonly CarrierDefinition[]>;
  /** What this worker sees of its carriers has changed, and is stored. */
  onHealth: () => void;
};

/** Who hears what carriers say, and of carriers that come and go. */
export type CarrierPoolParts = {
  inFlight: InFlight;
  dispatcher: Dispatcher;
  claimer: Claimer;
  matcher: ReportMatcher;
  inbound: InboundReceiver;
};

/** A carrier that was removed or changed: its open answers are awaited, then its binds are free for others. */
type Retiring = { carrier: WorkCarrier; bindIndexes: number[]; isClosed: boolean };

/** The carriers of this worker, and its share of their binds. */
export class CarrierPool {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #workerId: string;
  readonly #settings: CarrierPoolSettings;
  readonly #parts: CarrierPoolParts;
  readonly #healthRecorder: HealthRecorder;
  #active: WorkCarrier[] = [];
  /** Every worker has its own, and needs no bind for it. */
  readonly #test: WorkCarrier;
  readonly #testLink: TestCarrier;
  #retiring: Retiring[] = [];
  /** The definitions as they were last, as text. */
  #known = "";
  #isSyncing = false;
  #isOpen = false;

  constructor(db: Db, log: Logger, settings: CarrierPoolSettings, parts: CarrierPoolParts) {
    this.#db = db;
    this.#log = log;
    this.#workerId = settings.workerId;
    this.#settings = settings;
    this.#parts = parts;
    this.#healthRecorder = new HealthRecorder(db, settings.workerId);
    this.#testLink = new TestCarrier(
      db,
      log,
      this.#handlersFor(() => this.#test),
    );
    this.#test = new WorkCarrier(testCarrierFacts, this.#testLink, parts.inFlight);
    this.#test.bindIndexes = [0];
    this.#test.noteLink(performance.now());
  }

  /** Those that retire among them, until everything about them is recorded, and the carrier of tests. */
  get carriers(): WorkCarrier[] {
    return [...this.#active, ...this.#retiring.map(({ carrier }) => carrier), this.#test];
  }

  /** Whether reports of a carrier here may lie in the database. */
  get isCalledBack(): boolean {
    return this.carriers.some(({ link }) => link.isCallingBack === true);
  }

  /** A few times a second: the carrier of tests reports what is due. */
  async reportTests(): Promise<void> {
    await this.#testLink.report();
  }

  async open(): Promise<void> {
    await this.sync();
    this.#isOpen = true;
    this.#useCarriers();
  }

  /**
   * Once a second: takes up what has changed about the carriers, takes this worker's share of each one's binds, gives back
   * what is beyond it, and tells and learns whose links stand. With fewer binds than workers some have none; they take over
   * when the holder goes.
   */
  async sync(): Promise<void> {
    // Draining a bind takes as long as its open answers; the next second does not start it again.
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    try {
      await this.#syncDefinitions();
      await this.#endRetiring();
      await this.#giveBackForgottenBinds();
      const workerCount = Math.max(1, await countWorkers(this.#db));
      for (const carrier of this.#active) await this.#syncBinds(carrier, workerCount);
      await updateLinkStates(
        this.#db,
        this.#workerId,
        this.#active.map((carrier) => ({ carrierId: carrier.facts.carrierId, isUp: carrier.link.isUp })),
      );
      if (await this.#healthRecorder.record(this.#active)) this.#settings.onHealth();
      const elsewhere = new Set(await selectCarriersUpElsewhere(this.#db, this.#workerId));
      for (const carrier of this.#active) carrier.isUpElsewhere = elsewhere.has(carrier.facts.carrierId);
    } finally {
      this.#isSyncing = false;
    }
  }

  /** Waits for open answers at most `drainMs`, then closes. */
  async close(drainMs: number): Promise<void> {
    await Promise.all(this.carriers.map((carrier) => carrier.link.close(drainMs)));
  }

  async #syncDefinitions(): Promise<void> {
    const definitions = await this.#settings.readDefinitions();
    const text = JSON.stringify(definitions);
    if (text === this.#known) return;
    const rows = await withTransaction(this.#db, (tx) => upsertCarriers(tx, definitions), { repeatable: true });
    const before = this.#active;
    this.#active = definitions.flatMap((definition) => {
      const carrierId = rows.find(({ name }) => name === definition.name)?.carrierId;
      return carrierId === undefined ? [] : [this.#keepOrConnect({ ...definition, carrierId })];
    });
    const left = before.filter((carrier) => !this.#active.includes(carrier));
    for (const carrier of left) {
      carrier.isRetiring = true;
      this.#retiring.push({ carrier, bindIndexes: carrier.bindIndexes, isClosed: false });
      carrier.bindIndexes = [];
    }
    // Before their links close: what they do not have yet goes to the others.
    this.#useCarriers();
    for (const retiring of this.#retiring) if (left.includes(retiring.carrier)) this.#close(retiring);
    this.#known = text;
  }

  /** What a retiring carrier does not have yet goes to the others, or back into the queue. */
  #useCarriers(): void {
    // While the pool opens some carriers have binds and others not yet, and work would go to the wrong ones.
    if (!this.#isOpen) return;
    const { dispatcher, claimer } = this.#parts;
    dispatcher.setCarriers(this.carriers);
    dispatcher.rebalance();
    claimer.checkWaiting();
  }

  #handlersFor(carrier: () => WorkCarrier): CarrierHandlers<Handover> {
    const { dispatcher, claimer, matcher, inbound } = this.#parts;
    return {
      onOutcome: (handover, outcome) => dispatcher.onOutcome(carrier(), handover, outcome),
      onReport: (report) => matcher.onReport(carrier(), report),
      onInbound: (text) => inbound.onInbound(carrier().facts.carrierId, text),
      onReady: () => dispatcher.pump(carrier()),
      onLinkChange: () => {
        carrier().noteLink(performance.now());
        claimer.check();
      },
    };
  }

  #keepOrConnect(definition: CarrierDefinition & { carrierId: number }): WorkCarrier {
    const same = this.#active.find(
      ({ facts }) => facts.carrierId === definition.carrierId && facts.linkKey === definition.linkKey,
    );
    if (same !== undefined) {
      same.facts = definition;
      return same;
    }
    const link = definition.connect(this.#handlersFor(() => carrier));
    const carrier: WorkCarrier = new WorkCarrier(definition, link, this.#parts.inFlight);
    return carrier;
  }

  /** In the background: it takes as long as the carrier's open answers, and the lease must be renewed meanwhile. */
  #close(retiring: Retiring): void {
    const { link, facts } = retiring.carrier;
    link
      .close(deliveryTimesMs.drain)
      .catch((error: unknown) => this.#log.warn({ err: error, carrier: facts.name }, "a carrier did not close well"))
      .finally(() => {
        retiring.isClosed = true;
      });
  }

  async #endRetiring(): Promise<void> {
    const closed = this.#retiring.filter(({ isClosed }) => isClosed);
    for (const retiring of closed) {
      const { carrier, bindIndexes } = retiring;
      if (bindIndexes.length === 0) continue;
      // Only now, drained and closed: until then the rate of these binds was in use here.
      await giveBackBinds(this.#db, { workerId: this.#workerId, carrierId: carrier.facts.carrierId, bindIndexes });
      // And only once: its successor may hold them by the next look.
      retiring.bindIndexes = [];
    }
    const gone = closed.filter(({ carrier }) => this.#parts.inFlight.unrecordedCount(carrier) === 0);
    if (gone.length === 0) return;
    this.#retiring = this.#retiring.filter((retiring) => !gone.includes(retiring));
    this.#useCarriers();
    this.#log.info({ carriers: gone.map(({ carrier }) => carrier.facts.name) }, "carriers were let go");
  }

  /** Binds that were taken or to be given back when the answer was lost: nobody would ever use them again. */
  async #giveBackForgottenBinds(): Promise<void> {
    const held = await selectBinds(this.#db, this.#workerId);
    for (const carrierId of new Set(held.map((bind) => bind.carrierId))) {
      const known = [...this.#active, ...this.#retiring].flatMap((own) => {
        const { facts } = "carrier" in own ? own.carrier : own;
        return facts.carrierId === carrierId ? own.bindIndexes : [];
      });
      const bindIndexes = held
        .filter((bind) => bind.carrierId === carrierId && !known.includes(bind.bindIndex))
        .map((bind) => bind.bindIndex);
      if (bindIndexes.length === 0) continue;
      await giveBackBinds(this.#db, { workerId: this.#workerId, carrierId, bindIndexes });
      this.#log.warn({ carrierId, bindIndexes }, "gave back binds that an answer was lost about");
    }
  }

  async #syncBinds(carrier: WorkCarrier, workerCount: number): Promise<void> {
    const { carrierId, name, bindCount } = carrier.facts;
    const share = Math.ceil(bindCount / workerCount);
    const lease = { workerId: this.#workerId, carrierId };
    if (carrier.bindIndexes.length > share) {
      const extra = carrier.bindIndexes.slice(share);
      carrier.bindIndexes = carrier.bindIndexes.slice(0, share);
      await carrier.link.holdBinds(carrier.bindIndexes);
      // Only now, drained and closed: until then the rate of these binds was in use here.
      await giveBackBinds(this.#db, { ...lease, bindIndexes: extra });
      this.#log.info({ carrier: name, bindIndexes: extra }, "gave back binds for another worker");
    } else if (carrier.bindIndexes.length < share) {
      const taken = await takeBinds(this.#db, { ...lease, bindCount, wantedCount: share - carrier.bindIndexes.length });
      if (taken.length === 0) return;
      carrier.bindIndexes = [...carrier.bindIndexes, ...taken];
      await carrier.link.holdBinds(carrier.bindIndexes);
    }
  }
}

type Seen = { isUp: boolean; changedAt: Date; answeredCount: number; atMs: number };

/** Writes how the carriers do, as this worker sees them; only what is not the same as before. */
class HealthRecorder {
  readonly #db: Db;
  readonly #workerId: string;
  readonly #seen = new WeakMap<WorkCarrier, Seen>();
  #recorded = "";

  constructor(db: Db, workerId: string) {
    this.#db = db;
    this.#workerId = workerId;
  }

  /** @returns whether anything was new. */
  async record(carriers: readonly WorkCarrier[]): Promise<boolean> {
    const rows = carriers.map((carrier) => this.#look(carrier));
    const text = JSON.stringify(rows);
    if (text === this.#recorded) return false;
    await upsertCarrierHealth(this.#db, this.#workerId, rows);
    this.#recorded = text;
    return true;
  }

  #look(carrier: WorkCarrier): WorkerHealth {
    const nowMs = performance.now();
    const { boundCount, openCount, lastError } = carrier.link.health;
    const { good, bad } = carrier.health.counts(nowMs);
    const before = this.#seen.get(carrier);
    const isUp = boundCount > 0;
    const changedAt = before?.isUp === isUp ? before.changedAt : new Date();
    this.#seen.set(carrier, { isUp, changedAt, answeredCount: carrier.answeredCount, atMs: nowMs });
    const seconds = before === undefined ? 0 : (nowMs - before.atMs) / 1_000;
    const messagesPerSecond =
      seconds > 0 ? Math.round((carrier.answeredCount - (before?.answeredCount ?? 0)) / seconds) : 0;
    return {
      carrierId: carrier.facts.carrierId,
      boundCount,
      heldCount: carrier.bindIndexes.length,
      changedAt,
      lastError: lastError?.text.slice(0, 200) ?? null,
      lastErrorAt: lastError?.at ?? null,
      messagesPerSecond,
      inFlight: openCount,
      goodCount: good,
      badCount: bad,
    };
  }
}
