import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import {
  claimBatches,
  selectLeases,
  selectRecordedOffsets,
  undoLeases,
  type ClaimedRow,
} from "../queue/batch-store.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { LiveBatch, LiveMessage, type InFlight } from "./in-flight.ts";

/** Messages whose texts are kept beyond their batches, so that the batches of one message share them. */
const MESSAGES_MAX = 500;

export type ClaimerSettings = {
  workerId: string;
  mark: SendMark;
  /** Our clock: from this moment on the lease may be gone, and what was claimed would lie until another worker takes it over. */
  handUntilMs: () => number;
};

/** Takes batches from the queue when carriers run out of work. */
export class Claimer {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #settings: ClaimerSettings;
  readonly #inFlight: InFlight;
  readonly #dispatcher: Dispatcher;
  readonly #messages = new Map<string, LiveMessage>();
  /** Dialling codes seen so far. */
  readonly #lanes = new Set<number>();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isCheckWanted = false;
  #isStopped = false;

  constructor(db: Db, log: Logger, settings: ClaimerSettings, inFlight: InFlight, dispatcher: Dispatcher) {
    this.#db = db;
    this.#log = log;
    this.#settings = settings;
    this.#inFlight = inFlight;
    this.#dispatcher = dispatcher;
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

  async #claimAll(): Promise<void> {
    if (this.#isCheckWanted) await this.#compareLeases();
    for (const isExpress of [true, false]) {
      const wantedCount = this.#wantedBatches(isExpress);
      if (wantedCount === 0 || this.#isStopped || performance.now() >= this.#settings.handUntilMs()) continue;
      const { batchCount, firstIntents } = this.#shareIntents(isExpress, wantedCount);
      const { carriers } = this.#dispatcher;
      const intentCount = batchCount * firstIntents;
      for (const carrier of carriers) carrier.claimingCount += intentCount;
      const rows = await claimBatches(this.#db, {
        workerId: this.#settings.workerId,
        isExpress,
        blockedLanes: this.#blockedLanes(isExpress),
        batchCount,
        firstIntents,
        mark: this.#settings.mark.known,
      }).finally(() => {
        for (const carrier of carriers) carrier.claimingCount -= intentCount;
      });
      for (const row of rows) await this.#takeIn(row, isExpress);
      if (rows.length === batchCount) this.#isWanted = true;
      // Also when it found nothing: a flush meanwhile has left to it what it might have brought.
      if (rows.length > 0 || intentCount > 0) this.#dispatcher.proceed();
    }
  }

  /**
   * A claim whose answer was lost with its connection has leased batches that nobody works on, for as long as this worker lives.
   * They go back. A batch that its customer wants to stop is stopped here too: when its carrier is silent, no flush would say so.
   */
  async #compareLeases(): Promise<void> {
    this.#isCheckWanted = false;
    // An older database names leases whose batches were finished since: given back they would be sent again.
    await this.#settings.mark.assertOurs(this.#db);
    const leases = await selectLeases(this.#db, this.#settings.workerId);
    const known = new Map(
      this.#inFlight.batches.map((batch) => [nameOf(batch.message.messageId, batch.batchIndex, batch.attempt), batch]),
    );
    const unknown = leases.filter((row) => !known.has(nameOf(row.messageId, row.batchIndex, row.attempt)));
    for (const row of leases) {
      const batch = known.get(nameOf(row.messageId, row.batchIndex, row.attempt));
      if (batch !== undefined && row.stop !== 0) this.#dispatcher.stopBatch(batch);
    }
    if (unknown.length === 0) return;
    await undoLeases(this.#db, this.#settings.workerId, unknown);
    this.#log.warn(
      { batchCount: unknown.length },
      "batches were leased by a claim whose answer was lost, and went back into the queue",
    );
  }

  /** How many batches the carrier with most capacity can use; 0 when none has any. */
  #wantedBatches(isExpress: boolean): number {
    const nowMs = performance.now();
    const withCapacity = this.#dispatcher.carriers.filter(
      (carrier) => carrier.isUsable(nowMs) && carrier.hasCapacity(isExpress),
    );
    if (withCapacity.length === 0) return 0;
    if (isExpress) return deliveryLimits.expressClaimMax;
    return Math.max(...withCapacity.map((carrier) => carrier.missingBatches));
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
      if (this.#dispatcher.isBlocked(lane, nowMs)) {
        blocked.push(lane);
        continue;
      }
      const carriers = this.#dispatcher.routes.carriersForCode(String(lane));
      // A lane without any carrier is claimed: its messages are to be refused.
      const isServed =
        carriers.length === 0 || carriers.some((carrier) => carrier.isUsable(nowMs) && carrier.hasCapacity(isExpress));
      if (!isServed) blocked.push(lane);
    }
    return blocked;
  }

  async #takeIn(row: ClaimedRow, isExpress: boolean): Promise<void> {
    this.#lanes.add(row.lane);
    const batch = new LiveBatch({
      message: this.#messageOf(row),
      batchIndex: row.batchIndex,
      firstPosition: row.batchIndex * deliveryLimits.batchRecipientsMax,
      phoneNos: row.recipients,
      isExpress,
      turn: row.turn,
      lane: row.lane,
      attempt: row.attempt,
    });
    const { recorded, granted, lost } = await this.#readOffsets(batch, row);
    if (granted.length > 0)
      this.#settings.mark.remember({ ...batch.leaseKey, intentCount: row.intentCount, redo: row.redo });
    this.#inFlight.lease(batch, { recorded, granted });
    for (const offset of lost) this.#dispatcher.answerWithoutCarrier(batch, offset, { kind: "unknown" });
    if (row.stop === 0) this.#dispatcher.addBatch(batch);
    else this.#dispatcher.stopBatch(batch);
  }

  /**
   * What earlier leases and this claim have committed.
   *
   * @returns `lost` are offsets that a dead worker may have handed over, without a record of what became of them.
   */
  async #readOffsets(
    batch: LiveBatch,
    row: ClaimedRow,
  ): Promise<{ recorded: Set<number>; granted: number[]; lost: number[] }> {
    const recorded = new Set<number>(row.skipped);
    if (row.earlierIntentCount === 0) {
      const granted = offsetsBelow(row.intentCount).filter((offset) => !recorded.has(offset));
      return { recorded, granted, lost: [] };
    }
    const redo = new Set(row.redo);
    const intended = offsetsBelow(row.earlierIntentCount).filter(
      (offset) => !redo.has(offset) && !recorded.has(offset),
    );
    if (!row.isDirty) return { recorded: new Set([...recorded, ...intended]), granted: [], lost: [] };
    const place = { userId: row.userId, messageId: row.messageId, firstPosition: batch.firstPosition };
    const stored = new Set(await selectRecordedOffsets(this.#db, place));
    for (const offset of intended) if (stored.has(offset)) recorded.add(offset);
    return { recorded, granted: [], lost: intended.filter((offset) => !stored.has(offset)) };
  }

  #messageOf(row: ClaimedRow): LiveMessage {
    let message = this.#messages.get(row.messageId);
    if (message === undefined) {
      message = new LiveMessage({
        userId: row.userId,
        messageId: row.messageId,
        senderName: row.senderName,
        body: row.body,
        priceMilli: row.priceMilli,
        holdId: row.holdId,
      });
      if (this.#messages.size >= MESSAGES_MAX) this.#messages.clear();
      this.#messages.set(row.messageId, message);
    }
    return message;
  }
}

function nameOf(messageId: string, batchIndex: number, attempt: number): string {
  return `${messageId}:${batchIndex}:${attempt}`;
}

function offsetsBelow(count: number): number[] {
  return Array.from({ length: count }, (_, offset) => offset);
}
