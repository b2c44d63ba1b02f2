/**
 * What a worker holds in memory of the batches it has leased.
 *
 * offset    fresh -> requested (its intent is being committed) -> granted (may be written to the wire) -> handed
 *           -> answered (waits for the flush) -> recorded; handed -> granted when the carrier certainly does not have it.
 */
import type { Carrier, PreparedText } from "../carriers/carrier.ts";
import type { WorkCarrier } from "./work-carrier.ts";

export const OFFSET = { fresh: 0, requested: 1, granted: 2, handed: 3, answered: 4, recorded: 5 } as const;

/** One message's facts, shared by its batches. */
export class LiveMessage {
  readonly userId: string;
  readonly messageId: string;
  readonly senderName: string;
  readonly body: string;
  readonly priceMilli: number;
  readonly holdId: string | null;
  /** By the link, not its name: a carrier that was changed may cut texts in another way. */
  readonly #texts = new Map<Carrier<Handover>, PreparedText>();

  constructor(facts: Pick<LiveMessage, "userId" | "messageId" | "senderName" | "body" | "priceMilli" | "holdId">) {
    this.userId = facts.userId;
    this.messageId = facts.messageId;
    this.senderName = facts.senderName;
    this.body = facts.body;
    this.priceMilli = facts.priceMilli;
    this.holdId = facts.holdId;
  }

  textFor(carrier: Carrier<Handover>): PreparedText {
    let text = this.#texts.get(carrier);
    if (text === undefined) {
      text = carrier.prepare(this.body);
      this.#texts.set(carrier, text);
    }
    return text;
  }
}

export type BatchFacts = {
  message: LiveMessage;
  batchIndex: number;
  /** Position of offset 0 in the message. */
  firstPosition: number;
  phoneNos: number[];
  isExpress: boolean;
  turn: number;
  lane: number;
  attempt: number;
};

export class LiveBatch {
  readonly message: LiveMessage;
  readonly batchIndex: number;
  readonly firstPosition: number;
  readonly phoneNos: number[];
  readonly isExpress: boolean;
  readonly turn: number;
  readonly lane: number;
  readonly attempt: number;
  readonly offsets: Uint8Array;
  /** Where its recipients wait to be handed over. */
  shares: Share[] = [];
  /** What is not recorded yet; 0 means done. */
  openCount = 0;
  /** Handed to a carrier or answered, and not recorded: such a batch cannot be given back. */
  busyCount = 0;
  /** Asked to pause or to cancel, or the worker is stopping: nothing more is handed over. */
  isStopping = false;
  /** Some of its recipients have no carrier here. */
  isRestForOthers = false;
  /** Another worker has it: whatever this one still knows of it is void. */
  isLost = false;

  constructor(facts: BatchFacts) {
    this.message = facts.message;
    this.batchIndex = facts.batchIndex;
    this.firstPosition = facts.firstPosition;
    this.phoneNos = facts.phoneNos;
    this.isExpress = facts.isExpress;
    this.turn = facts.turn;
    this.lane = facts.lane;
    this.attempt = facts.attempt;
    this.offsets = new Uint8Array(facts.phoneNos.length);
    this.openCount = facts.phoneNos.length;
  }

  get isIdle(): boolean {
    return this.busyCount === 0;
  }

  /**
   * The intents as the database is to know them: offsets below `intentCount` may have been handed over, except `redo`.
   *
   * @param isLeaving nothing is in hand: granted offsets that were not handed over are then certain not to be.
   */
  readIntents(isLeaving: boolean): { intentCount: number; redo: number[] } {
    const { offsets } = this;
    const isFresh = (offset: number): boolean => {
      const state = offsets[offset] ?? OFFSET.fresh;
      return state === OFFSET.fresh || (isLeaving && (state === OFFSET.granted || state === OFFSET.requested));
    };
    let intentCount = offsets.length;
    while (intentCount > 0 && isFresh(intentCount - 1)) intentCount -= 1;
    const redo: number[] = [];
    for (let offset = 0; offset < intentCount; offset += 1) if (isFresh(offset)) redo.push(offset);
    return { intentCount, redo };
  }
}

/** The offsets of a batch that go to one carrier, in order. */
export class Share {
  readonly batch: LiveBatch;
  readonly offsets: readonly number[];
  /** How many of the offsets were handed over, are granted, are asked to be granted; each at most the next. */
  handedCount = 0;
  grantedCount = 0;
  requestedCount = 0;

  constructor(batch: LiveBatch, offsets: readonly number[]) {
    this.batch = batch;
    this.offsets = offsets;
    this.syncGrants();
    this.requestedCount = this.grantedCount;
    while (this.#stateAt(this.requestedCount) === OFFSET.requested) this.requestedCount += 1;
  }

  /** Takes over what a flush has granted. */
  syncGrants(): void {
    while (this.#stateAt(this.grantedCount) === OFFSET.granted) this.grantedCount += 1;
  }

  #stateAt(index: number): number | undefined {
    const offset = this.offsets[index];
    return offset === undefined ? undefined : this.batch.offsets[offset];
  }
}

/** One recipient in a carrier's hands; its context there, and what a delivery report leads back to. */
export class Handover {
  readonly batch: LiveBatch;
  readonly offset: number;
  readonly carrier: WorkCarrier;
  tries = 0;
  handedAtMs = 0;
  /** The carrier has some parts; see CarrierOutcome. */
  isPartial = false;
  /** Final and not delivered, as the first such report says. */
  failure: { state: number; errorCode: string } | undefined;
  /** Bits of the parts that reports say were delivered, and of all parts that were accepted. */
  deliveredParts = 0;
  allParts = 1;
  /** Its answer is in a flush, or recorded: a report from now on needs an update of its own. */
  isPlanned = false;
  isRecorded = false;

  constructor(batch: LiveBatch, offset: number, carrier: WorkCarrier) {
    this.batch = batch;
    this.offset = offset;
    this.carrier = carrier;
  }

  get position(): number {
    return this.batch.firstPosition + this.offset;
  }

  get isDelivered(): boolean {
    return this.deliveredParts === this.allParts;
  }
}

/** One part of a long message; a short one is led back to by its hand-over itself. */
export class HandoverPart {
  readonly handover: Handover;
  readonly partIndex: number;

  constructor(handover: Handover, partIndex: number) {
    this.handover = handover;
    this.partIndex = partIndex;
  }
}
