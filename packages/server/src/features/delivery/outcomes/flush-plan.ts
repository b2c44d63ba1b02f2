import { deliveryStates, type DeliveryStateNumber, timeOfId } from "../states.ts";
import type { WaitingBatch } from "../queue/batch-store.ts";
import { LEAVE, type BatchColumns, type OutcomeColumns, type PartColumns, type UnknownColumns } from "./flush-store.ts";
import { Handover, type InFlight, type LiveBatch } from "../engine/in-flight.ts";
import type { AnsweredRecipient, OutboxContents, UnmatchedReport } from "../engine/outbox.ts";
import { numberArray } from "../../../db/sql-array.ts";

/** A batch as the flush leaves it. */
export type PlannedBatch = {
  batch: LiveBatch;
  leave: number;
  /** Recipients that no answer of this flush or an earlier one is about. */
  restCount: number;
  intentCount: number;
  redo: number[];
};

/** An answer as its row will be. */
type PlannedOutcome = AnsweredRecipient & {
  /** Into the plan's batches. */
  batchIndex: number;
  state: DeliveryStateNumber;
  key: string | null;
  errorCode: string | null;
};

/** What one flush will commit. Made once, changing nothing; a flush that is tried again commits the same. */
export class FlushPlan {
  readonly batches: PlannedBatch[];
  readonly outcomes: PlannedOutcome[];
  readonly reported: Handover[];
  readonly unmatched: UnmatchedReport[];
  readonly contents: OutboxContents;

  constructor(contents: OutboxContents, inFlight: InFlight) {
    this.contents = contents;
    this.reported = [...contents.reported];
    this.unmatched = contents.unmatched;
    const drafts = new Map<LiveBatch, { index: number; answeredCount: number }>();
    // What became of a batch that is not this worker's any more is another's to record.
    const draftOf = (batch: LiveBatch): { index: number; answeredCount: number } | undefined => {
      let draft = drafts.get(batch);
      if (draft === undefined && inFlight.has(batch)) {
        draft = { index: drafts.size, answeredCount: 0 };
        drafts.set(batch, draft);
      }
      return draft;
    };
    for (const batch of contents.touched) draftOf(batch);
    this.outcomes = [];
    for (const answered of contents.answered) {
      const draft = draftOf(answered.recipient.batch);
      if (draft === undefined) continue;
      draft.answeredCount += 1;
      this.outcomes.push(toOutcome(answered, draft.index));
    }
    this.batches = [...drafts].map(([batch, { answeredCount }]) => {
      const restCount = inFlight.openCount(batch) - answeredCount;
      const leave = leaveOf(batch, restCount, inFlight.busyCount(batch) === answeredCount);
      return { batch, leave, restCount, ...inFlight.readIntents(batch, leave !== LEAVE.stays) };
    });
  }

  /** Batches that are given back and then wait for carriers. @param fenced indexes of the batches that are still ours. */
  waitingBatches(fenced: ReadonlySet<number>): WaitingBatch[] {
    return this.batches.flatMap(({ batch, leave }, index) =>
      leave === LEAVE.givenBack && batch.waitsFor.length > 0 && fenced.has(index)
        ? [{ ...batch.leaseKey, carrierIds: batch.waitsFor }]
        : [],
    );
  }

  get isEmpty(): boolean {
    return this.batches.length === 0 && this.reported.length === 0 && this.unmatched.length === 0;
  }

  batchColumns(): BatchColumns {
    return {
      userIds: this.batches.map(({ batch }) => batch.message.userId),
      messageIds: this.batches.map(({ batch }) => batch.message.messageId),
      batchIndexes: this.batches.map(({ batch }) => batch.batchIndex),
      attempts: this.batches.map(({ batch }) => batch.attempt),
      intentCounts: this.batches.map(({ intentCount }) => intentCount),
      redos: this.batches.map(({ redo }) => numberArray(redo)),
      leaves: this.batches.map(({ leave }) => leave),
    };
  }

  outcomeColumns(): OutcomeColumns {
    const { outcomes } = this;
    const deliveredParts = outcomes.map(({ recipient }) =>
      recipient instanceof Handover ? recipient.deliveredParts : 0,
    );
    const errorCodes = outcomes.map(({ errorCode }) => errorCode);
    return {
      batchIndexes: outcomes.map(({ batchIndex }) => batchIndex),
      offsets: outcomes.map(({ recipient }) => recipient.offset),
      phoneNos: outcomes.map(({ recipient }) => recipient.batch.phoneNos[recipient.offset] ?? 0),
      states: outcomes.map(({ state }) => state),
      carrierIds: outcomes.map(({ recipient }) =>
        recipient instanceof Handover ? recipient.carrier.facts.carrierId : 0,
      ),
      deliveredParts: deliveredParts.some((parts) => parts !== 0) ? deliveredParts : [],
      keys: outcomes.map(({ key }) => key),
      errorCodes: errorCodes.some((code) => code !== null) ? errorCodes : [],
    };
  }

  /** @param fenced indexes of the batches that are still ours. */
  partColumns(fenced: ReadonlySet<number>): PartColumns {
    const columns: PartColumns = {
      userIds: [],
      messageIds: [],
      positions: [],
      partIndexes: [],
      partCounts: [],
      carrierIds: [],
      keys: [],
    };
    for (const { recipient, answer, batchIndex } of this.outcomes) {
      if (answer.kind !== "accepted" || answer.keys.length < 2 || !(recipient instanceof Handover)) continue;
      if (!fenced.has(batchIndex)) continue;
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

  unknownColumns(fenced: ReadonlySet<number>): UnknownColumns {
    const columns: UnknownColumns = {
      userIds: [],
      messageIds: [],
      positions: [],
      phoneNos: [],
      senderNames: [],
      earliestAt: [],
    };
    for (const { recipient, state, batchIndex } of this.outcomes) {
      if (state !== deliveryStates.unknown || !fenced.has(batchIndex)) continue;
      const { batch, offset } = recipient;
      columns.userIds.push(batch.message.userId);
      columns.messageIds.push(batch.message.messageId);
      columns.positions.push(batch.firstPosition + offset);
      columns.phoneNos.push(batch.phoneNos[offset] ?? 0);
      columns.senderNames.push(batch.message.senderName);
      // A worker that died may have handed it over at any time since it was accepted, and its report may be here already.
      const isOurs = recipient instanceof Handover;
      columns.earliestAt.push(isOurs ? null : new Date(timeOfId(batch.message.messageId)));
    }
    return columns;
  }
}

/** A report that overtook the answer is recorded with it: one row version instead of two. */
function toOutcome({ recipient, answer }: AnsweredRecipient, batchIndex: number): PlannedOutcome {
  switch (answer.kind) {
    case "refused":
      return { recipient, answer, batchIndex, state: deliveryStates.failed, key: null, errorCode: answer.reason };
    case "optedOut":
      return { recipient, answer, batchIndex, state: deliveryStates.optedOut, key: null, errorCode: "opted-out" };
    case "unknown":
      return { recipient, answer, batchIndex, state: deliveryStates.unknown, key: null, errorCode: "answer-lost" };
    case "accepted": {
      const key = answer.keys.length === 1 ? (answer.keys[0] ?? null) : null;
      const handover = recipient instanceof Handover ? recipient : undefined;
      const errorCode = handover?.failure?.errorCode ?? null;
      const arrived = handover?.isDelivered === true ? deliveryStates.delivered : deliveryStates.sent;
      const state = (handover?.failure?.state as DeliveryStateNumber | undefined) ?? arrived;
      return { recipient, answer, batchIndex, state, key, errorCode };
    }
    default:
      return answer satisfies never;
  }
}

/** Whether a batch ends with this flush: nothing is open, or it is stopping and nothing is in a carrier's hands. */
function leaveOf(batch: LiveBatch, restCount: number, isIdle: boolean): number {
  if (restCount === 0) return LEAVE.done;
  return batch.isStopping && isIdle ? LEAVE.givenBack : LEAVE.stays;
}
