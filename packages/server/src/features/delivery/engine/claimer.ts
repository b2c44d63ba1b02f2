import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import {
  claimBatches,
  selectLeases,
  selectRecordedOffsets,
  undoLeases,
  type ClaimedRow,
} from "../queue/batch-store.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { LiveBatch, LiveMessage, OFFSET } from "./live-batch.ts";

/** Messages whose texts are kept beyond their batches, so that the batches of one message share them. */
const MESSAGES_MAX = 500;

export type ClaimerOwner = {
  workerId: string;
  mark: SendMark;
  /** New batches are in the dispatcher. */
  onClaimed: () => void;
};

/** Takes batches from the queue when carriers run out of work. */
export class Claimer {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #dispatcher: Dispatcher;
  readonly #owner: ClaimerOwner;
  readonly #messages = new Map<string, LiveMessage>();
  /** Dialling codes seen so far. */
  readonly #lanes = new Set<number>();
  readonly #blockedUntilMs = new Map<number, number>();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isCheckWanted = false;
  #isStopped = false;

  constructor(db: Db, log: Logger, dispatcher: Dispatcher, owner: ClaimerOwner) {
    this.#db = db;
    this.#log = log;
    this.#dispatcher = dispatcher;
    this.#owner = owner;
  }

  /** Looks for work now, or again when it is looking already. */
  kick(): void {
    if (this.#isStopped) return;
    if (this.#running !== undefined) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    this.#running = this.#claimAll()
      .catch((error: unknown) => this.#log.warn({ err: error }, "a claim failed and is tried again"))
      .finally(() => {
        this.#running = undefined;
        if (this.#isWanted) this.kick();
      });
  }

  /** Once a second: compares what this worker has with what the database says that it has, between two claims. */
  check(): void {
    this.#isCheckWanted = true;
    this.kick();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  blockLane(lane: number): void {
    this.#blockedUntilMs.set(lane, performance.now() + deliveryTimesMs.laneBlock);
  }

  async #claimAll(): Promise<void> {
    if (this.#isCheckWanted) await this.#compareLeases();
    for (const isExpress of [true, false]) {
      const wantedCount = this.#wantedBatches(isExpress);
      if (wantedCount === 0 || this.#isStopped) continue;
      const { batchCount, firstIntents } = this.#shareIntents(isExpress, wantedCount);
      const { carriers } = this.#dispatcher;
      const intentCount = batchCount * firstIntents;
      for (const carrier of carriers) carrier.claimingCount += intentCount;
      const rows = await claimBatches(this.#db, {
        workerId: this.#owner.workerId,
        isExpress,
        blockedLanes: this.#blockedLanes(isExpress),
        batchCount,
        firstIntents,
        mark: this.#owner.mark.known,
      }).finally(() => {
        for (const carrier of carriers) carrier.claimingCount -= intentCount;
      });
      for (const row of rows) await this.#takeIn(row, isExpress);
      if (rows.length === batchCount) this.#isWanted = true;
      // Also when it found nothing: a flush meanwhile has left to it what it might have brought.
      if (rows.length > 0 || intentCount > 0) this.#owner.onClaimed();
    }
  }

  /**
   * A claim whose answer was lost with its connection has leased batches that nobody works on, for as long as this worker lives.
   * They go back. A batch that its customer wants to stop is stopped here too: when its carrier is silent, no flush would tell.
   */
  async #compareLeases(): Promise<void> {
    this.#isCheckWanted = false;
    // An older database names leases whose batches were finished since: given back they would be sent again.
    await this.#owner.mark.assertOurs(this.#db);
    const leases = await selectLeases(this.#db, this.#owner.workerId);
    const known = new Map(
      [...this.#dispatcher.batches].map((batch) => [
        nameOf(batch.message.messageId, batch.batchIndex, batch.attempt),
        batch,
      ]),
    );
    const unknown = leases.filter((row) => !known.has(nameOf(row.message_id, row.batch_index, row.attempt)));
    for (const row of leases) {
      const batch = known.get(nameOf(row.message_id, row.batch_index, row.attempt));
      if (batch !== undefined && row.stop !== 0) this.#dispatcher.stopBatch(batch);
    }
    if (unknown.length === 0) return;
    await undoLeases(this.#db, this.#owner.workerId, unknown);
    this.#log.warn(
      { batchCount: unknown.length },
      "batches were leased by a claim whose answer was lost, and went back into the queue",
    );
  }

  /** How many batches the hungriest carrier can use; 0 when none wants any. */
  #wantedBatches(isExpress: boolean): number {
    const nowMs = performance.now();
    const hungry = this.#dispatcher.carriers.filter(
      (carrier) => carrier.isUsable(nowMs) && carrier.isHungry(isExpress),
    );
    if (hungry.length === 0) return 0;
    if (isExpress) return deliveryLimits.expressClaimMax;
    const missing = Math.max(...hungry.map((carrier) => carrier.unrecordedMax - carrier.backlog(false)));
    return Math.min(Math.max(Math.ceil(missing / deliveryLimits.batchRecipientsMax), 1), deliveryLimits.bulkClaimMax);
  }

  /**
   * Intents that each claimed batch may be given at once: what the carriers' limits leave, shared among the batches. A small send is on the
   * wire without waiting for a flush, so with room for a few only a few are claimed, and at once again what is left, without any.
   */
  #shareIntents(isExpress: boolean, wantedCount: number): { batchCount: number; firstIntents: number } {
    const nowMs = performance.now();
    const usable = this.#dispatcher.carriers.filter((carrier) => carrier.isUsable(nowMs));
    const room = Math.min(deliveryLimits.batchRecipientsMax, ...usable.map((carrier) => carrier.claimRoom(isExpress)));
    if (isExpress && room > 0 && room < wantedCount) return { batchCount: room, firstIntents: 1 };
    return { batchCount: wantedCount, firstIntents: Math.floor(room / wantedCount) };
  }

  /** Lanes that no carrier here wants or can serve now. */
  #blockedLanes(isExpress: boolean): number[] {
    const nowMs = performance.now();
    const blocked: number[] = [];
    for (const lane of this.#lanes) {
      if ((this.#blockedUntilMs.get(lane) ?? 0) > nowMs) {
        blocked.push(lane);
        continue;
      }
      const carriers = this.#dispatcher.routes.carriersForCode(String(lane));
      // A lane without any carrier is claimed: its messages are to be refused.
      const isServed =
        carriers.length === 0 || carriers.some((carrier) => carrier.isUsable(nowMs) && carrier.isHungry(isExpress));
      if (!isServed) blocked.push(lane);
    }
    return blocked;
  }

  async #takeIn(row: ClaimedRow, isExpress: boolean): Promise<void> {
    this.#lanes.add(row.lane);
    const batch = new LiveBatch({
      message: this.#messageOf(row),
      batchIndex: row.batch_index,
      firstPosition: row.batch_index * deliveryLimits.batchRecipientsMax,
      phoneNos: row.recipients,
      isExpress,
      turn: row.turn,
      lane: row.lane,
      attempt: row.attempt,
    });
    for (const offset of row.skipped) markRecorded(batch, offset);
    const lost = await this.#readIntents(batch, row);
    // Registered before anything is answered: the answers are about a batch that the dispatcher knows.
    this.#dispatcher.batches.add(batch);
    for (const offset of lost) this.#dispatcher.answerWithoutCarrier(batch, offset, { kind: "unknown" });
    if (row.stop === 0) this.#dispatcher.addBatch(batch);
    else this.#dispatcher.stopBatch(batch);
  }

  /**
   * Marks what earlier leases and this claim have committed.
   *
   * @returns offsets that a dead worker may have handed over, without a record of what became of them.
   */
  async #readIntents(batch: LiveBatch, row: ClaimedRow): Promise<number[]> {
    const lost: number[] = [];
    const redo = new Set(row.redo);
    if (row.earlier_intent_count === 0) {
      for (let offset = 0; offset < row.intent_count; offset += 1)
        if (batch.offsets[offset] === OFFSET.fresh) batch.offsets[offset] = OFFSET.granted;
      return lost;
    }
    const place = { userId: row.user_id, messageId: row.message_id, firstPosition: batch.firstPosition };
    const recorded = row.is_dirty ? new Set(await selectRecordedOffsets(this.#db, place)) : undefined;
    for (let offset = 0; offset < row.earlier_intent_count; offset += 1) {
      if (redo.has(offset) || batch.offsets[offset] !== OFFSET.fresh) continue;
      if (recorded === undefined || recorded.has(offset)) markRecorded(batch, offset);
      else lost.push(offset);
    }
    return lost;
  }

  #messageOf(row: ClaimedRow): LiveMessage {
    let message = this.#messages.get(row.message_id);
    if (message === undefined) {
      message = new LiveMessage({
        userId: row.user_id,
        messageId: row.message_id,
        senderName: row.sender_name,
        body: row.body,
        priceMilli: row.price_milli,
        holdId: row.hold_id,
      });
      if (this.#messages.size >= MESSAGES_MAX) this.#messages.clear();
      this.#messages.set(row.message_id, message);
    }
    return message;
  }
}

function nameOf(messageId: string, batchIndex: number, attempt: number): string {
  return `${messageId}:${batchIndex}:${attempt}`;
}

function markRecorded(batch: LiveBatch, offset: number): void {
  batch.offsets[offset] = OFFSET.recorded;
  batch.openCount -= 1;
}
