/**
 * Every recipient between the lease of its batch and the record of its fate, and which carrier holds it. `flight.ts` has its states and the moves
 * between them. `InFlight` alone makes them; the rest of the engine reads.
 */
import assert from "node:assert/strict";
import type { CarrierOutcome, PreparedText } from "../carriers/carrier.ts";
import type { MergedBatch } from "../merged/merge-values.ts";
import { Flight, STATE, type Held, type State } from "./flight.ts";
import type { LiveMessage } from "./live-message.ts";

/** What is certain about one recipient: it goes into the next flush. */
export type Answer = Exclude<CarrierOutcome, { kind: "deferred" }> | { readonly kind: "optedOut" };

/** A carrier, as far as its recipients in flight know it. One that was changed is another object. */
export type HoldingCarrier = { readonly facts: { readonly carrierId: number; readonly name: string } };

export type BatchFacts = Pick<
  LiveBatch,
  "message" | "batchIndex" | "firstPosition" | "phoneNos" | "isExpress" | "isTest" | "turn" | "lane" | "attempt"
> & { merged?: MergedBatch | undefined; dndOffsets?: readonly number[] };

// How `InFlight` writes what only it may change: the classes below hand it the keys of their private fields.
let setStopping: (batch: LiveBatch) => void;
let setLost: (batch: LiveBatch) => void;
let setWaitsFor: (batch: LiveBatch, carrierIds: readonly number[]) => void;
let addLeftOut: (batch: LiveBatch, phoneNos: ReadonlySet<number>) => void;
let countsOf: (share: Share) => ShareCounts;
let setPlanned: (recipient: Recipient) => void;
let setRecorded: (recipient: Recipient) => void;
let setHandedAt: (handover: Handover, nowMs: number) => void;

/** A batch that this worker has leased. */
export class LiveBatch {
  static {
    setStopping = (batch) => (batch.#isStopping = true);
    setLost = (batch) => (batch.#isLost = true);
    setWaitsFor = (batch, carrierIds) => (batch.#waitsFor = carrierIds);
    addLeftOut = (batch, phoneNos) => (batch.#leftOut = new Set([...(batch.#leftOut ?? []), ...phoneNos]));
  }

  readonly message: LiveMessage;
  readonly batchIndex: number;
  /** Position of offset 0 in the message. */
  readonly firstPosition: number;
  readonly phoneNos: readonly number[];
  readonly isExpress: boolean;
  /** Of a test key: the carrier of tests alone gets it. */
  readonly isTest: boolean;
  readonly turn: number;
  readonly lane: number;
  readonly attempt: number;
  /** Those of do-not-disturb numbers: they go by carriers alone that reach them. */
  readonly dndOffsets: readonly number[];
  readonly #merged: MergedBatch | undefined;
  #isStopping = false;
  #isLost = false;
  #waitsFor: readonly number[] = [];
  #leftOut: ReadonlySet<number> | undefined;

  constructor(facts: BatchFacts) {
    this.message = facts.message;
    this.batchIndex = facts.batchIndex;
    this.firstPosition = facts.firstPosition;
    this.phoneNos = facts.phoneNos;
    this.isExpress = facts.isExpress;
    this.isTest = facts.isTest;
    this.turn = facts.turn;
    this.lane = facts.lane;
    this.attempt = facts.attempt;
    this.#merged = facts.merged;
    this.dndOffsets = facts.dndOffsets ?? [];
  }

  /** What one recipient gets, as the link sends it. */
  textFor(offset: number, link: { prepare: (text: string) => PreparedText }): PreparedText {
    return this.#merged === undefined ? this.message.textFor(link) : link.prepare(this.#merged.texts.textAt(offset));
  }

  /** What one recipient pays, in thousandths of a unit. */
  priceMilliOf(offset: number): number {
    return this.#merged?.pricesMilli[offset] ?? this.message.priceMilli;
  }

  /** Names this lease of the batch. */
  get leaseKey(): { userId: string; messageId: string; batchIndex: number; attempt: number } {
    const { userId, messageId } = this.message;
    return { userId, messageId, batchIndex: this.batchIndex, attempt: this.attempt };
  }

  /** Its customer pauses or cancels it, or the worker stops: nothing more is handed over. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Whether a recipient has opted out since the message was accepted. Asked for every hand-over; nearly always nobody has. */
  isLeftOut(offset: number): boolean {
    return this.#leftOut?.has(this.phoneNos[offset] ?? 0) === true;
  }

  /** Carriers that alone can take what is left of it, and that nobody can use now: given back, it waits until one of them can be used. */
  get waitsFor(): readonly number[] {
    return this.#waitsFor;
  }

  /** Another worker has it: whatever this one still knows of it is void. */
  get isLost(): boolean {
    return this.#isLost;
  }
}

/** How many offsets of a share have come so far, or further; each at most the next. */
type ShareCounts = { handed: number; granted: number; requested: number };

/** The offsets of a batch that wait for one carrier, in order: handed over, then granted, then requested, then fresh. */
export class Share {
  static {
    countsOf = (share) => share.#counts;
  }

  readonly batch: LiveBatch;
  readonly offsets: readonly number[];
  readonly carrier: HoldingCarrier;
  readonly #counts: ShareCounts = { handed: 0, granted: 0, requested: 0 };

  constructor(batch: LiveBatch, offsets: readonly number[], carrier: HoldingCarrier) {
    this.batch = batch;
    this.offsets = offsets;
    this.carrier = carrier;
  }

  get handedCount(): number {
    return this.#counts.handed;
  }

  get grantedCount(): number {
    return this.#counts.granted;
  }

  get requestedCount(): number {
    return this.#counts.requested;
  }
}

/** A recipient whose fate is to be recorded; one that no carrier takes, or that a dead worker left, is no hand-over. */
export class Recipient {
  static {
    setPlanned = (recipient) => (recipient.#isPlanned = true);
    setRecorded = (recipient) => (recipient.#isRecorded = true);
  }

  readonly batch: LiveBatch;
  readonly offset: number;
  #isPlanned = false;
  #isRecorded = false;

  constructor(batch: LiveBatch, offset: number) {
    this.batch = batch;
    this.offset = offset;
  }

  /** Its answer is in a flush, or recorded: a report from now on needs an update of its own. */
  get isPlanned(): boolean {
    return this.#isPlanned;
  }

  /** Its answer is in the database. */
  get isRecorded(): boolean {
    return this.#isRecorded;
  }
}

/** A recipient in a carrier's hands; its context there, and what a delivery report leads back to. */
export class Handover extends Recipient {
  static {
    setHandedAt = (handover, nowMs) => (handover.#handedAtMs = nowMs);
  }

  readonly carrier: HoldingCarrier;
  /** Times that the carrier failed on it. */
  tries = 0;
  #handedAtMs = 0;
  /** The carrier has some parts; see CarrierOutcome. */
  isPartial = false;
  /** Final and not delivered, as the first such report says. */
  failure: { state: number; errorCode: string } | undefined;
  /** Bits of the parts that reports say were delivered, and of all parts that were accepted. */
  deliveredParts = 0;
  allParts = 1;

  constructor(batch: LiveBatch, offset: number, carrier: HoldingCarrier) {
    super(batch, offset);
    this.carrier = carrier;
  }

  get handedAtMs(): number {
    return this.#handedAtMs;
  }

  get position(): number {
    return this.batch.firstPosition + this.offset;
  }

  get isDelivered(): boolean {
    return this.deliveredParts === this.allParts;
  }
}

export class InFlight {
  readonly #flights = new Map<LiveBatch, Flight<Share>>();
  #lastBatch: LiveBatch | undefined;
  #lastFlight: Flight<Share> | undefined;
  /** Their recipients that are in carriers' hands are held until the carriers answer. */
  readonly #lost = new WeakMap<LiveBatch, Flight<Share>>();
  readonly #held = new WeakMap<HoldingCarrier, Held>();

  get batches(): LiveBatch[] {
    return [...this.#flights.keys()];
  }

  get batchCount(): number {
    return this.#flights.size;
  }

  /** Whether the batch is this worker's: leased, and neither ended nor lost. */
  has(batch: LiveBatch): boolean {
    return batch === this.#lastBatch || this.#flights.has(batch);
  }

  /** Recipients that the carrier holds (requested, granted, handed or answered) and that are not recorded. */
  unrecordedCount(carrier: HoldingCarrier): number {
    return this.#held.get(carrier)?.count ?? 0;
  }

  /** Recipients whose fate is not recorded. */
  openCount(batch: LiveBatch): number {
    return this.#flights.get(batch)?.openCount ?? 0;
  }

  /** Recipients that were handed over or answered, and are not recorded: such a batch cannot be given back. */
  busyCount(batch: LiveBatch): number {
    return this.#flights.get(batch)?.busyCount ?? 0;
  }

  /** Whether some of its recipients wait for a carrier here. */
  hasShares(batch: LiveBatch): boolean {
    return (this.#flights.get(batch)?.shares.size ?? 0) > 0;
  }

  /** Offsets that are still to be sent: fresh ones, and those whose intent this lease's claim has committed. */
  unsentOffsets(batch: LiveBatch): number[] {
    const { states } = this.#of(batch);
    const unsent: number[] = [];
    for (let offset = 0; offset < states.length; offset += 1)
      if (states[offset] === STATE.fresh || states[offset] === STATE.granted) unsent.push(offset);
    return unsent;
  }

  /**
   * The intents as the database is to know them: offsets below `intentCount` may have been handed over, except `redo`.
   *
   * @param isLeaving nothing is in hand: granted offsets that were not handed over are then certain not to be.
   */
  readIntents(batch: LiveBatch, isLeaving: boolean): { intentCount: number; redo: number[] } {
    const flight = this.#of(batch);
    const isUnsent = (offset: number): boolean => {
      const state = flight.stateOf(offset);
      return state === STATE.fresh || (isLeaving && (state === STATE.granted || state === STATE.requested));
    };
    let intentCount = flight.states.length;
    while (intentCount > 0 && isUnsent(intentCount - 1)) intentCount -= 1;
    const redo: number[] = [];
    for (let offset = 0; offset < intentCount; offset += 1) if (isUnsent(offset)) redo.push(offset);
    return { intentCount, redo };
  }

  /**
   * A claim has leased the batch.
   *
   * @param known offsets that earlier leases recorded, and those whose intents the claim has committed.
   */
  lease(batch: LiveBatch, known: { recorded: Iterable<number>; granted: Iterable<number> }): void {
    const flight = new Flight<Share>(batch.phoneNos.length);
    for (const offset of known.recorded) flight.move(offset, STATE.recorded);
    for (const offset of known.granted) flight.move(offset, STATE.granted);
    this.#flights.set(batch, flight);
  }

  /** Lets some of a batch's unsent recipients wait for a carrier, which holds those that have intents. */
  assign(batch: LiveBatch, offsets: readonly number[], carrier: HoldingCarrier): Share {
    const flight = this.#of(batch);
    const share = new Share(batch, offsets, carrier);
    const counts = countsOf(share);
    const stateAt = (index: number): State => flight.stateOf(offsets[index] ?? -1);
    while (counts.granted < offsets.length && stateAt(counts.granted) === STATE.granted) counts.granted += 1;
    counts.requested = counts.granted;
    while (counts.requested < offsets.length && stateAt(counts.requested) === STATE.requested) counts.requested += 1;
    this.#hold(flight, offsets.slice(0, counts.requested), this.#heldBy(carrier));
    flight.shares.add(share);
    return share;
  }

  /** Takes back what was assigned. @returns the offsets that were not handed over. */
  unassign(share: Share): readonly number[] {
    const flight = this.#of(share.batch);
    flight.shares.delete(share);
    this.#hold(flight, share.offsets.slice(share.handedCount, share.requestedCount), undefined);
    return share.offsets.slice(share.handedCount);
  }

  /** The next grant commits the intents of so many recipients more. */
  request(share: Share, count: number): void {
    const flight = this.#of(share.batch);
    const counts = countsOf(share);
    const held = this.#heldBy(share.carrier);
    for (const offset of share.offsets.slice(counts.requested, counts.requested + count)) {
      flight.move(offset, STATE.requested);
      flight.hold(offset, held);
      counts.requested += 1;
    }
  }

  /** A grant, or a flush, has committed what was requested of the batch. */
  grant(batch: LiveBatch): void {
    const flight = this.#of(batch);
    const { states, shares } = flight;
    for (let at = states.indexOf(STATE.requested); at >= 0; at = states.indexOf(STATE.requested, at + 1))
      flight.move(at, STATE.granted);
    for (const share of shares) countsOf(share).granted = share.requestedCount;
  }

  /** Takes the next granted recipient out of the share; `hand` follows at once. */
  takeNext(share: Share): Handover {
    const { batch, offsets, carrier } = share;
    const counts = countsOf(share);
    assert(counts.handed < counts.granted, "nothing of the share is granted");
    const handover = new Handover(batch, offsets[counts.handed] ?? 0, carrier);
    counts.handed += 1;
    if (counts.handed === offsets.length) this.#of(batch).shares.delete(share);
    return handover;
  }

  /** The recipient is being given to the carrier. */
  hand(handover: Handover): void {
    this.#of(handover.batch).move(handover.offset, STATE.handed);
    setHandedAt(handover, performance.now());
  }

  /** Its fate is certain and waits for the flush. */
  answer({ batch, offset }: Recipient): void {
    this.#of(batch).move(offset, STATE.answered);
  }

  /** The carrier does not have it, and keeps it to be tried again. */
  defer({ batch, offset }: Handover): void {
    this.#of(batch).move(offset, STATE.granted);
  }

  /** Another carrier is to have what this one does not. */
  reroute(handover: Handover, to: HoldingCarrier): Handover {
    const { batch, offset, tries } = handover;
    this.#of(batch).hold(offset, this.#heldBy(to));
    const moved = new Handover(batch, offset, to);
    moved.tries = tries;
    return moved;
  }

  /** The carrier does not have it, and will not get it: nothing of the hand-over is left. */
  putBack({ batch, offset }: Handover): void {
    this.#of(batch).hold(offset, undefined);
  }

  /** Its answer is in a flush. */
  plan(recipient: Recipient): void {
    setPlanned(recipient);
  }

  /** The flush with its answer is committed. */
  record(recipient: Recipient): void {
    setRecorded(recipient);
    if (this.has(recipient.batch)) this.#of(recipient.batch).move(recipient.offset, STATE.recorded);
  }

  /** Nothing more of the batch is to be handed over. */
  stop(batch: LiveBatch): void {
    setStopping(batch);
  }

  /** What is left of the batch waits for these carriers once it is given back. */
  waitFor(batch: LiveBatch, carrierIds: readonly number[]): void {
    setWaitsFor(batch, carrierIds);
  }

  /** These numbers have opted out: they are left out when their turn comes. */
  leaveOut(batch: LiveBatch, phoneNos: ReadonlySet<number>): void {
    addLeftOut(batch, phoneNos);
  }

  /** The batch is recorded whole, or given back. */
  end(batch: LiveBatch): void {
    const flight = this.#of(batch);
    for (let offset = 0; offset < flight.states.length; offset += 1) flight.hold(offset, undefined);
    this.#remove(batch);
  }

  /** Another worker has the batch. What is in carriers' hands is held until `forget`, so that their windows stay bounded. */
  lose(batch: LiveBatch): void {
    const flight = this.#of(batch);
    setLost(batch);
    for (const [offset, state] of flight.states.entries()) if (state !== STATE.handed) flight.hold(offset, undefined);
    this.#remove(batch);
    this.#lost.set(batch, flight);
  }

  /** A carrier has answered about a recipient of a lost batch. */
  forget({ batch, offset }: Handover): void {
    this.#lost.get(batch)?.hold(offset, undefined);
  }

  #of(batch: LiveBatch): Flight<Share> {
    // Verbs come in runs about one batch; looking it up for each recipient cost a worker some hundredths of its time.
    if (batch === this.#lastBatch && this.#lastFlight !== undefined) return this.#lastFlight;
    const flight = this.#flights.get(batch);
    assert(flight, "the batch is not in flight");
    this.#lastBatch = batch;
    this.#lastFlight = flight;
    return flight;
  }

  #remove(batch: LiveBatch): void {
    this.#flights.delete(batch);
    this.#lastBatch = undefined;
    this.#lastFlight = undefined;
  }

  #heldBy(carrier: HoldingCarrier): Held {
    let held = this.#held.get(carrier);
    if (held === undefined) {
      held = { count: 0 };
      this.#held.set(carrier, held);
    }
    return held;
  }

  #hold(flight: Flight<Share>, offsets: readonly number[], holder: Held | undefined): void {
    for (const offset of offsets) flight.hold(offset, holder);
  }
}
