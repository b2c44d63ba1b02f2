import { deliveryLimits } from "../delivery-limits.ts";
import { deliveryStates, type DeliveryStateNumber } from "../states.ts";
import {
  LEAVE,
  type BatchColumns,
  type OutcomeColumns,
  type PartColumns,
  type ReportColumns,
  type UnknownColumns,
} from "./flush-store.ts";
import { Handover, type LiveBatch } from "../engine/live-batch.ts";
import type { AnsweredRecipient, Outbox, StrayReport } from "./outbox.ts";
import { numberArray } from "./sql-array.ts";

/** An answer as its row will be. */
type PlannedOutcome = AnsweredRecipient & {
  state: DeliveryStateNumber;
  key: string | null;
  errorCode: string | null;
};

/** What one flush will commit. Made once; a flush that is tried again commits the same. */
export class FlushPlan {
  readonly batches: LiveBatch[] = [];
  readonly leaves: number[] = [];
  readonly outcomes: PlannedOutcome[] = [];
  /** Index into `batches` for each outcome. */
  readonly places: number[] = [];
  readonly reported: Handover[];
  readonly strays: StrayReport[];
  readonly outbox: Outbox;
  readonly #places = new Map<LiveBatch, number>();
  readonly #intents: { intentCount: number; redo: number[] }[] = [];

  /** @param requested batches of which more offsets are to be granted; they are marked already. */
  constructor(outbox: Outbox, requested: Iterable<LiveBatch>) {
    this.outbox = outbox;
    this.reported = [...outbox.reported];
    this.strays = outbox.strays;
    for (const batch of requested) this.#placeOf(batch);
    for (const batch of outbox.touched) if (!batch.isLost) this.#placeOf(batch);
    const answeredCounts = new Map<LiveBatch, number>();
    for (const answered of outbox.answered) {
      const { recipient } = answered;
      const { batch } = recipient;
      if (batch.isLost) {
        if (recipient instanceof Handover) recipient.carrier.unrecordedCount -= 1;
        continue;
      }
      this.places.push(this.#placeOf(batch));
      this.outcomes.push(toOutcome(answered));
      answeredCounts.set(batch, (answeredCounts.get(batch) ?? 0) + 1);
    }
    for (const batch of this.batches) {
      const leave = leaveOf(batch, answeredCounts.get(batch) ?? 0);
      this.leaves.push(leave);
      this.#intents.push(batch.readIntents(leave !== LEAVE.stays));
    }
  }

  get isEmpty(): boolean {
    return this.batches.length === 0 && this.reported.length === 0 && this.strays.length === 0;
  }

  batchColumns(): BatchColumns {
    return {
      userIds: this.batches.map((batch) => batch.message.userId),
      messageIds: this.batches.map((batch) => batch.message.messageId),
      batchIndexes: this.batches.map((batch) => batch.batchIndex),
      attempts: this.batches.map((batch) => batch.attempt),
      intentCounts: this.#intents.map(({ intentCount }) => intentCount),
      redos: this.#intents.map(({ redo }) => numberArray(redo)),
      leaves: this.leaves,
    };
  }

  outcomeColumns(): OutcomeColumns {
    const { outcomes } = this;
    return {
      places: this.places,
      offsets: outcomes.map(({ recipient }) => recipient.offset),
      phoneNos: outcomes.map(({ recipient }) => recipient.batch.phoneNos[recipient.offset] ?? 0),
      states: outcomes.map(({ state }) => state),
      carrierIds: outcomes.map(({ recipient }) =>
        recipient instanceof Handover ? recipient.carrier.facts.carrierId : 0,
      ),
      deliveredParts: outcomes.map(({ recipient }) => (recipient instanceof Handover ? recipient.deliveredParts : 0)),
      keys: outcomes.map(({ key }) => key),
      errorCodes: outcomes.map(({ errorCode }) => errorCode),
    };
  }

  /** @param isFenced whether the batch at a place is still ours. */
  partColumns(isFenced: (place: number) => boolean): PartColumns {
    const columns: PartColumns = {
      userIds: [],
      messageIds: [],
      positions: [],
      partIndexes: [],
      partCounts: [],
      carrierIds: [],
      keys: [],
    };
    for (const [index, { recipient, answer }] of this.outcomes.entries()) {
      if (answer.kind !== "accepted" || answer.keys.length < 2 || !(recipient instanceof Handover)) continue;
      if (!isFenced(this.places[index] ?? -1)) continue;
      for (const [partIndex, key] of answer.keys.entries()) {
        columns.userIds.push(recipient.batch.message.userId);
        columns.messageIds.push(recipient.batch.message.messageId);
        columns.positions.push(recipient.position);
        columns.partIndexes.push(partIndex);
        columns.partCounts.push(answer.keys.length);
        columns.carrierIds.push(recipient.carrier.facts.carrierId);
        columns.keys.push(key);
      }
    }
    return columns;
  }

  unknownColumns(isFenced: (place: number) => boolean): UnknownColumns {
    const columns: UnknownColumns = { userIds: [], messageIds: [], positions: [], phoneNos: [], senderNames: [] };
    for (const [index, { recipient, state }] of this.outcomes.entries()) {
      if (state !== deliveryStates.unknown || !isFenced(this.places[index] ?? -1)) continue;
      const { batch, offset } = recipient;
      columns.userIds.push(batch.message.userId);
      columns.messageIds.push(batch.message.messageId);
      columns.positions.push(batch.firstPosition + offset);
      columns.phoneNos.push(batch.phoneNos[offset] ?? 0);
      columns.senderNames.push(batch.message.senderName);
    }
    return columns;
  }

  reportColumns(): ReportColumns {
    const { reported } = this;
    return {
      userIds: reported.map(({ batch }) => batch.message.userId),
      messageIds: reported.map(({ batch }) => batch.message.messageId),
      positions: reported.map((handover) => handover.position),
      deliveredParts: reported.map((handover) => handover.deliveredParts),
      allParts: reported.map((handover) => handover.allParts),
      failures: reported.map(({ failure }) => failure?.state ?? 0),
      errorCodes: reported.map(({ failure }) => failure?.errorCode ?? null),
    };
  }

  #placeOf(batch: LiveBatch): number {
    let place = this.#places.get(batch);
    if (place === undefined) {
      place = this.batches.length;
      this.#places.set(batch, place);
      this.batches.push(batch);
    }
    return place;
  }
}

/** A report that overtook the answer is recorded with it: one row version instead of two. */
function toOutcome(answered: AnsweredRecipient): PlannedOutcome {
  const { recipient, answer } = answered;
  recipient.isPlanned = true;
  switch (answer.kind) {
    case "refused":
      return { ...answered, state: deliveryStates.failed, key: null, errorCode: answer.reason };
    case "unknown":
      return { ...answered, state: deliveryStates.unknown, key: null, errorCode: "answer-lost" };
    case "accepted": {
      const key = answer.keys.length === 1 ? (answer.keys[0] ?? null) : null;
      const failure = recipient instanceof Handover ? recipient.failure : undefined;
      if (failure !== undefined)
        return { ...answered, state: failure.state as DeliveryStateNumber, key, errorCode: failure.errorCode };
      const isDelivered = recipient instanceof Handover && recipient.isDelivered;
      return { ...answered, state: isDelivered ? deliveryStates.delivered : deliveryStates.sent, key, errorCode: null };
    }
    default:
      return answer satisfies never;
  }
}

/** Whether a batch ends with this flush: nothing is open, or it is stopping and nothing is in a carrier's hands. */
function leaveOf(batch: LiveBatch, answeredCount: number): number {
  if (batch.openCount === answeredCount) return LEAVE.done;
  return batch.isStopping && batch.busyCount === answeredCount ? LEAVE.givenBack : LEAVE.stays;
}

/** Strays that one flush looks up; the others wait for the next. */
export const straysMax = deliveryLimits.lookupsPerFlush;
