/**
 * Every recipient between the lease of its batch and the record of its fate: how far it is, and which carrier holds it.
 *
 * fresh -> requested (its intent is being committed) -> granted (may be written to the wire) -> handed -> answered (waits
 *   for the flush) -> recorded.
 * handed -> granted: the carrier certainly does not have it; it is tried again, or put back.
 * fresh -> granted, recorded: the claim has committed its intent; an earlier lease has recorded it.
 * fresh, granted -> answered: no carrier takes it, or an earlier lease left it without a record.
 *
 * States and counts are written here alone: for everybody else they are private or readonly.
 */
import assert from "node:assert/strict";
import type { CarrierOutcome, PreparedText } from "../carriers/carrier.ts";

const STATE = { fresh: 0, requested: 1, granted: 2, handed: 3, answered: 4, recorded: 5 } as const;
type State = (typeof STATE)[keyof typeof STATE];

/** The states that may follow each state, as bits. */
const NEXT_STATES = [
  bitsOf(STATE.requested, STATE.granted, STATE.answered, STATE.recorded),
  bitsOf(STATE.granted),
  bitsOf(STATE.handed, STATE.answered),
  bitsOf(STATE.granted, STATE.answered),
  bitsOf(STATE.recorded),
  0,
];

/** What is certain about one recipient: it goes into the next flush. */
export type Answer = Exclude<CarrierOutcome, { kind: "deferred" }>;

/** A carrier, as far as its recipients in flight know it. One that was changed is another object. */
export type HoldingCarrier = { readonly facts: { readonly carrierId: number; readonly name: string } };

/** One message's facts, shared by its batches. */
export class LiveMessage {
  readonly userId: string;
  readonly messageId: string;
  readonly senderName: string;
  readonly body: string;
  readonly priceMilli: number;
  readonly holdId: string | null;
  /** By the link, not its name: a carrier that was changed may cut texts in another way. */
  readonly #texts = new Map<object, PreparedText>();

  constructor(facts: Pick<LiveMessage, "userId" | "messageId" | "senderName" | "body" | "priceMilli" | "holdId">) {
    this.userId = facts.userId;
    this.messageId = facts.messageId;
    this.senderName = facts.senderName;
    this.body = facts.body;
    this.priceMilli = facts.priceMilli;
    this.holdId = facts.holdId;
  }

  textFor(link: { prepare: (text: string) => PreparedText }): PreparedText {
    let text = this.#texts.get(link);
    if (text === undefined) {
      text = link.prepare(this.body);
      this.#texts.set(link, text);
    }
    return text;
  }
}

export type BatchFacts = {
  message: LiveMessage;
  batchIndex: number;
  /** Position of offset 0 in the message. */
  firstPosition: number;
  phoneNos: readonly number[];
  isExpress: boolean;
  turn: number;
  lane: number;
  attempt: number;
};

/** A batch that this worker has leased. */
export class LiveBatch {
  readonly message: LiveMessage;
  readonly batchIndex: number;
  readonly firstPosition: number;
  readonly phoneNos: readonly number[];
  readonly isExpress: boolean;
  readonly turn: number;
  readonly lane: number;
  readonly attempt: number;
  /** Asked to pause or to cancel, or the worker is stopping: nothing more is handed over. */
  readonly isStopping: boolean = false;
  /** Another worker has it: whatever this one still knows of it is void. */
  readonly isLost: boolean = false;

  constructor(facts: BatchFacts) {
    this.message = facts.message;
    this.batchIndex = facts.batchIndex;
    this.firstPosition = facts.firstPosition;
    this.phoneNos = facts.phoneNos;
    this.isExpress = facts.isExpress;
    this.turn = facts.turn;
    this.lane = facts.lane;
    this.attempt = facts.attempt;
  }
}

/** The offsets of a batch that wait for one carrier, in order: handed over, then granted, then requested, then fresh. */
export class Share {
  readonly batch: LiveBatch;
  readonly offsets: readonly number[];
  readonly carrier: HoldingCarrier;
  /** How many of the offsets have come so far, or further; each at most the next. */
  readonly handedCount: number = 0;
  readonly grantedCount: number = 0;
  readonly requestedCount: number = 0;

  constructor(batch: LiveBatch, offsets: readonly number[], carrier: HoldingCarrier) {
    this.batch = batch;
    this.offsets = offsets;
    this.carrier = carrier;
  }
}

/** A recipient whose fate is to be recorded; one that no carrier takes, or that a dead worker left, is no hand-over. */
export class Recipient {
  readonly batch: LiveBatch;
  readonly offset: number;
  /** Its answer is in a flush, or recorded: a report from now on needs an update of its own. */
  readonly isPlanned: boolean = false;
  /** Its answer is in the database. */
  readonly isRecorded: boolean = false;

  constructor(batch: LiveBatch, offset: number) {
    this.batch = batch;
    this.offset = offset;
  }
}

/** A recipient in a carrier's hands; its context there, and what a delivery report leads back to. */
export class Handover extends Recipient {
  readonly carrier: HoldingCarrier;
  /** Times that the carrier failed on it. */
  tries = 0;
  readonly handedAtMs: number = 0;
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

  get position(): number {
    return this.batch.firstPosition + this.offset;
  }

  get isDelivered(): boolean {
    return this.deliveredParts === this.allParts;
  }
}

/** How many recipients a carrier holds. */
type Held = { count: number };

/** What is known of one batch. */
class Flight {
  readonly states: Uint8Array;
  /** Who holds an offset: requested, granted, handed or answered, and not recorded. */
  readonly holders: (Held | undefined)[];
  readonly shares = new Set<Share>();
  openCount: number;
  busyCount = 0;

  constructor(recipientCount: number) {
    this.states = new Uint8Array(recipientCount);
    this.holders = Array.from({ length: recipientCount });
    this.openCount = recipientCount;
  }

  stateOf(offset: number): State {
    return (this.states[offset] ?? STATE.fresh) as State;
  }

  /** The only place where a state changes, and the counts with it. */
  move(offset: number, to: State): void {
    const from = this.stateOf(offset);
    if ((((NEXT_STATES[from] ?? 0) >> to) & 1) === 0) assert.fail(`a recipient cannot go from state ${from} to ${to}`);
    this.states[offset] = to;
    if (isBusy(from)) this.busyCount -= 1;
    if (isBusy(to)) this.busyCount += 1;
    if (to !== STATE.recorded) return;
    this.openCount -= 1;
    this.hold(offset, undefined);
  }

  /** The only place where a carrier's count changes. */
  hold(offset: number, holder: Held | undefined): void {
    const before = this.holders[offset];
    if (before !== undefined) before.count -= 1;
    if (holder !== undefined) holder.count += 1;
    this.holders[offset] = holder;
  }
}

export class InFlight {
  readonly #flights = new Map<LiveBatch, Flight>();
  #lastBatch: LiveBatch | undefined;
  #lastFlight: Flight | undefined;
  /** Their recipients that are in carriers' hands are held until the carriers answer. */
  readonly #lost = new WeakMap<LiveBatch, Flight>();
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
    const unsent: number[] = [];
    for (const [offset, state] of this.#of(batch).states.entries())
      if (state === STATE.fresh || state === STATE.granted) unsent.push(offset);
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
    const flight = new Flight(batch.phoneNos.length);
    for (const offset of known.recorded) flight.move(offset, STATE.recorded);
    for (const offset of known.granted) flight.move(offset, STATE.granted);
    this.#flights.set(batch, flight);
  }

  /** Lets some of a batch's unsent recipients wait for a carrier, which holds those that have intents. */
  assign(batch: LiveBatch, offsets: readonly number[], carrier: HoldingCarrier): Share {
    const flight = this.#of(batch);
    const share: Mutable<Share> = new Share(batch, offsets, carrier);
    const stateAt = (index: number): State => flight.stateOf(offsets[index] ?? -1);
    while (share.grantedCount < offsets.length && stateAt(share.grantedCount) === STATE.granted)
      share.grantedCount += 1;
    share.requestedCount = share.grantedCount;
    while (share.requestedCount < offsets.length && stateAt(share.requestedCount) === STATE.requested)
      share.requestedCount += 1;
    this.#hold(flight, offsets.slice(0, share.requestedCount), this.#heldBy(carrier));
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

  /** The next flush commits the intents of so many recipients more. */
  request(share: Share, count: number): void {
    const flight = this.#of(share.batch);
    const own: Mutable<Share> = share;
    const held = this.#heldBy(share.carrier);
    for (const offset of share.offsets.slice(share.requestedCount, share.requestedCount + count)) {
      flight.move(offset, STATE.requested);
      flight.hold(offset, held);
      own.requestedCount += 1;
    }
  }

  /** A flush has committed what was requested of the batch. */
  grant(batch: LiveBatch): void {
    const flight = this.#of(batch);
    for (const [offset, state] of flight.states.entries())
      if (state === STATE.requested) flight.move(offset, STATE.granted);
    for (const share of flight.shares) (share as Mutable<Share>).grantedCount = share.requestedCount;
  }

  /** Takes the next granted recipient out of the share; `hand` follows at once. */
  takeNext(share: Share): Handover {
    const { batch, offsets, handedCount, grantedCount } = share;
    assert(handedCount < grantedCount, "nothing of the share is granted");
    (share as Mutable<Share>).handedCount += 1;
    if (share.handedCount === offsets.length) this.#of(batch).shares.delete(share);
    return new Handover(batch, offsets[handedCount] ?? 0, share.carrier);
  }

  /** The recipient is being given to the carrier. */
  hand(handover: Handover): void {
    this.#of(handover.batch).move(handover.offset, STATE.handed);
    (handover as Mutable<Handover>).handedAtMs = performance.now();
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
    (recipient as Mutable<Recipient>).isPlanned = true;
  }

  /** The flush with its answer is committed. */
  record(recipient: Recipient): void {
    (recipient as Mutable<Recipient>).isRecorded = true;
    if (this.has(recipient.batch)) this.#of(recipient.batch).move(recipient.offset, STATE.recorded);
  }

  /** Nothing more of the batch is to be handed over. */
  stop(batch: LiveBatch): void {
    (batch as Mutable<LiveBatch>).isStopping = true;
  }

  /** The batch is recorded whole, or given back. */
  end(batch: LiveBatch): void {
    const flight = this.#of(batch);
    for (const offset of flight.states.keys()) flight.hold(offset, undefined);
    this.#remove(batch);
  }

  /** Another worker has the batch. What is in carriers' hands is held until `forget`, so that their windows stay bounded. */
  lose(batch: LiveBatch): void {
    const flight = this.#of(batch);
    (batch as Mutable<LiveBatch>).isLost = true;
    for (const [offset, state] of flight.states.entries()) if (state !== STATE.handed) flight.hold(offset, undefined);
    this.#remove(batch);
    this.#lost.set(batch, flight);
  }

  /** A carrier has answered about a recipient of a lost batch. */
  forget({ batch, offset }: Handover): void {
    this.#lost.get(batch)?.hold(offset, undefined);
  }

  #of(batch: LiveBatch): Flight {
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

  #hold(flight: Flight, offsets: readonly number[], holder: Held | undefined): void {
    for (const offset of offsets) flight.hold(offset, holder);
  }
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function isBusy(state: State): boolean {
  return state === STATE.handed || state === STATE.answered;
}

function bitsOf(...states: State[]): number {
  return states.reduce<number>((bits, state) => bits | (1 << state), 0);
}
