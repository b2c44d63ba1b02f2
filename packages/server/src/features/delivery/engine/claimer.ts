import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import {
  claimBatches,
  endWaiting,
  selectLeases,
  selectRecordedOffsets,
  undoLeases,
  type ClaimedRow,
  type QueueLine,
} from "../queue/batch-store.ts";
import { MergedTexts, type MergedBatch } from "../merged/merge-values.ts";
import { selectOptedOut, selectRecentlyOptedOut } from "../opt-outs/opt-out-store.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { QuietLanes } from "./quiet-lanes.ts";
import { LiveBatch, type InFlight } from "./in-flight.ts";
import { LiveMessage } from "./live-message.ts";
import type { WorkCarrier } from "./routing/work-carrier.ts";

/** Messages whose texts are kept beyond their batches, so that the batches of one message share them. */
const MESSAGES_MAX = 500;
/** How far back a look for new opt-outs goes: longer than any transaction that adds some. */
const OPT_OUT_RECENT_SECONDS = 300;

export type ClaimerSettings = {
  workerId: string;
  mark: SendMark;
  /** Our clock: from this moment on the lease may be gone, and what was claimed would lie until another worker takes it over. */
  handUntilMs: () => number;
  /** Their batches are left in the queue. */
  quietLanes: QuietLanes;
  /** Puts the sealed texts into the rows that have one. */
  openBodies: OpenBodies;
};

export type OpenBodies = (rows: readonly ClaimedRow[]) => Promise<(ClaimedRow & { isUnreadable?: boolean })[]>;

export const refuseSealed: OpenBodies = async (rows) =>
  await Promise.resolve(rows.map((row) => (row.sealedBody === null ? row : { ...row, isUnreadable: true })));

/** One of the lines of the queue. */
class Line {
  readonly name: QueueLine;
  running: Promise<void> | undefined;
  /** Set when somebody asks for a look during another one, which may have looked already. */
  isWanted = false;
  /** The last look found less than it could have taken: what comes into the queue from then on is announced. */
  isEmpty = false;

  constructor(name: QueueLine) {
    this.name = name;
  }

  get isExpress(): boolean {
    return this.name === "express";
  }

  get isTest(): boolean {
    return this.name === "test";
  }
}

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
  readonly #lines: readonly Line[] = [new Line("express"), new Line("bulk"), new Line("test")];
  #checking: Promise<void> | undefined;
  #isCheckWanted = false;
  #areOptOutsWanted = false;
  /** How often this worker's carriers have changed, its start included, and how many of the changes `#endWaiting` has looked after. */
  #carrierChanges = 1;
  #seenCarrierChanges = 0;
  #isStopped = false;

  constructor(db: Db, log: Logger, settings: ClaimerSettings, inFlight: InFlight, dispatcher: Dispatcher) {
    this.#db = db;
    this.#log = log;
    this.#settings = settings;
    this.#inFlight = inFlight;
    this.#dispatcher = dispatcher;
  }

  /** Looks for work now, or again when it is looking already. Small sends do not wait for a claim of bulk. */
  kick(): void {
    if (this.#isStopped) return;
    if (this.#isCheckWanted || this.#areOptOutsWanted) this.#checking ??= this.#check();
    for (const line of this.#lines) this.#want(line);
  }

  /** A flush has made room. A line that was found empty is not looked at again for that: at a window of 100 each flush cost a claim of nothing. */
  kickForRoom(): void {
    if (this.#isStopped) return;
    for (const line of this.#lines) if (!line.isEmpty) this.#want(line);
  }

  #want(line: Line): void {
    // A check looks at what is leased: it waits until no claim is under way, and the next claims wait for it.
    line.isWanted = true;
    if (line.running === undefined && this.#checking === undefined) this.#start(line);
  }

  /** Once a second: compares what this worker has with what the database says that it has, between two claims. */
  check(): void {
    this.#isCheckWanted = true;
    this.checkOptOuts();
  }

  /** This worker's carriers are others now: what waits for carriers may have another way. */
  checkWaiting(): void {
    this.#carrierChanges += 1;
    this.check();
  }

  /** Somebody may have opted out: looks for recipients in hand who have. */
  checkOptOuts(): void {
    this.#areOptOutsWanted = true;
    this.kick();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#checking, ...this.#lines.map(({ running }) => running)]);
  }

  #start(line: Line): void {
    line.isWanted = false;
    line.isEmpty = false;
    line.running = this.#claim(line)
      .catch((error: unknown) => this.#log.warn({ err: error }, "a claim failed and is tried again"))
      .finally(() => {
        line.running = undefined;
        if (line.isWanted && this.#checking === undefined && !this.#isStopped) this.#start(line);
      });
  }

  async #check(): Promise<void> {
    try {
      await Promise.all(this.#lines.map(async ({ running }) => await running));
      if (this.#isCheckWanted && !this.#isStopped) {
        await this.#compareLeases();
        await this.#endWaiting();
      }
      if (this.#areOptOutsWanted && !this.#isStopped) await this.#leaveOutNew();
    } catch (error) {
      this.#log.warn({ err: error }, "a look at what is leased failed and is tried again");
    } finally {
      this.#checking = undefined;
      this.kick();
    }
  }

  async #claim(line: Line): Promise<void> {
    const wantedCount = this.#wantedBatches(line);
    if (wantedCount === 0 || this.#isStopped || performance.now() >= this.#settings.handUntilMs()) return;
    this.#settings.quietLanes.look();
    const quietLanes = line.isTest ? [] : [...this.#settings.quietLanes.closed];
    const { batchCount, firstIntents } = this.#shareIntents(line, wantedCount);
    const carriers = this.#carriersOf(line);
    const intentCount = batchCount * firstIntents;
    const blockedLanes = line.isTest ? [] : this.#blockedLanes(line);
    for (const carrier of carriers) carrier.claimingCount += intentCount;
    const claimed = await claimBatches(this.#db, {
      workerId: this.#settings.workerId,
      line: line.name,
      blockedLanes,
      quietLanes,
      batchCount,
      firstIntents,
      mark: this.#settings.mark.known,
    }).finally(() => {
      for (const carrier of carriers) carrier.claimingCount -= intentCount;
    });
    const rows = await this.#settings.openBodies(claimed);
    // Also in quiet hours: each look would walk past what they keep in the queue, and their end is announced.
    line.isEmpty = rows.length < batchCount && blockedLanes.length === 0;
    const optedOut = await this.#findOptedOut(rows);
    for (const row of rows) await this.#takeIn(row, line, optedOut.get(row.userId));
    if (rows.length === batchCount) line.isWanted = true;
    // Also when it found nothing: a grant meanwhile has left to it what it might have brought.
    if (rows.length > 0 || intentCount > 0) this.#dispatcher.proceed();
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
    // A session that ended meanwhile has forgotten its batches: given back as unknown ones, they would be sent again.
    if (this.#isStopped) return;
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

  /** Once a second, not only when a link comes back: another worker may let a batch wait just after that. */
  async #endWaiting(): Promise<void> {
    const nowMs = performance.now();
    const usable = this.#dispatcher.carriers.filter((carrier) => !carrier.isRetiring && carrier.isUsable(nowMs));
    const carrierIds = usable.map(({ facts }) => facts.carrierId);
    const changes = this.#carrierChanges;
    if (changes > this.#seenCarrierChanges) await endWaiting(this.#db, "all");
    else if (carrierIds.length > 0) await endWaiting(this.#db, carrierIds);
    this.#seenCarrierChanges = changes;
  }

  /** Who of the claimed recipients has opted out since their message was accepted: one look-up for each customer who has any on the list. */
  async #findOptedOut(rows: readonly ClaimedRow[]): Promise<Map<string, ReadonlySet<number>>> {
    const found = new Map<string, ReadonlySet<number>>();
    const listed = rows.filter(({ hasOptOuts }) => hasOptOuts);
    for (const [userId, own] of Map.groupBy(listed, (row) => row.userId))
      found.set(
        userId,
        new Set(
          await selectOptedOut(
            this.#db,
            userId,
            own.flatMap(({ recipients }) => recipients),
          ),
        ),
      );
    return found;
  }

  /**
   * Leaves out who came onto a list while this worker had them in hand. Between two claims, so that it misses nobody: a claim after this one
   * sees what was committed before it.
   */
  async #leaveOutNew(): Promise<void> {
    this.#areOptOutsWanted = false;
    const batches = this.#inFlight.batches.filter(({ message, isStopping }) => message.honoursOptOuts && !isStopping);
    if (batches.length === 0) return;
    const byCustomer = Map.groupBy(batches, ({ message }) => message.userId);
    const recent = await selectRecentlyOptedOut(this.#db, [...byCustomer.keys()], OPT_OUT_RECENT_SECONDS);
    for (const userId of recent) {
      const own = byCustomer.get(userId) ?? [];
      const phoneNos = own.flatMap((batch) => batch.phoneNos);
      const optedOut = new Set(await selectOptedOut(this.#db, userId, phoneNos));
      if (optedOut.size > 0) for (const batch of own) this.#inFlight.leaveOut(batch, optedOut);
    }
  }

  /** How many batches the carrier with most capacity can use; 0 when none has any. */
  #wantedBatches(line: Line): number {
    const nowMs = performance.now();
    const withCapacity = this.#carriersOf(line).filter(
      (carrier) => carrier.isUsable(nowMs) && carrier.hasCapacity(line.isExpress),
    );
    if (withCapacity.length === 0) return 0;
    if (line.isExpress) return deliveryLimits.expressClaimMax;
    return Math.max(...withCapacity.map((carrier) => carrier.missingBatches));
  }

  /**
   * Intents that each claimed batch may be given at once: what the carriers' limits leave, shared among the batches. A small send is on the
   * wire without waiting for a grant, so with room for a few only a few are claimed, and at once again what is left, without any.
   */
  #shareIntents(line: Line, wantedCount: number): { batchCount: number; firstIntents: number } {
    const { isExpress } = line;
    const nowMs = performance.now();
    const usable = this.#carriersOf(line).filter((carrier) => carrier.isUsable(nowMs));
    const room = Math.min(deliveryLimits.batchRecipientsMax, ...usable.map((carrier) => carrier.claimRoom(isExpress)));
    if (isExpress && room > 0 && room < wantedCount) return { batchCount: room, firstIntents: 1 };
    return { batchCount: wantedCount, firstIntents: Math.floor(room / wantedCount) };
  }

  /** The carrier of tests, for their line; all others for the live ones. */
  #carriersOf({ isTest }: Line): WorkCarrier[] {
    return this.#dispatcher.carriers.filter(({ facts }) => (facts.isTest === true) === isTest);
  }

  /** Lanes that no carrier here wants or can serve now. */
  #blockedLanes({ isExpress }: Line): number[] {
    const nowMs = performance.now();
    const blocked: number[] = [];
    for (const lane of this.#lanes) {
      if (this.#dispatcher.isBlocked(lane, nowMs)) {
        blocked.push(lane);
        continue;
      }
      const carriers = this.#dispatcher.carriersFor(lane);
      // A lane without any carrier is claimed: its messages are to be refused.
      const isServed =
        carriers.length === 0 || carriers.some((carrier) => carrier.isUsable(nowMs) && carrier.hasCapacity(isExpress));
      if (!isServed) blocked.push(lane);
    }
    return blocked;
  }

  async #takeIn(
    row: ClaimedRow & { isUnreadable?: boolean },
    line: Line,
    optedOut: ReadonlySet<number> | undefined,
  ): Promise<void> {
    if (!line.isTest) this.#lanes.add(row.lane);
    const batch = new LiveBatch({
      message: this.#messageOf(row),
      merged: mergedOf(row),
      batchIndex: row.batchIndex,
      firstPosition: row.batchIndex * deliveryLimits.batchRecipientsMax,
      phoneNos: row.recipients,
      isExpress: line.isExpress,
      isTest: line.isTest,
      turn: row.turn,
      lane: row.lane,
      attempt: row.attempt,
      dndOffsets: row.dndOffsets,
    });
    const { recorded, granted, lost } = await this.#readOffsets(batch, row);
    if (row.hasOptOuts && optedOut !== undefined && optedOut.size > 0) this.#inFlight.leaveOut(batch, optedOut);
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

  #messageOf(row: ClaimedRow & { isUnreadable?: boolean }): LiveMessage {
    let message = this.#messages.get(row.messageId);
    if (message === undefined) {
      message = new LiveMessage({
        userId: row.userId,
        messageId: row.messageId,
        senderName: row.senderName,
        body: row.body,
        priceMilli: row.priceMilli,
        holdId: row.holdId,
        honoursOptOuts: row.honoursOptOuts,
        followers: row.followers,
        validUntil: row.validUntil,
        isUnreadable: row.isUnreadable === true,
        startedAt: row.startedAt,
      });
      if (this.#messages.size >= MESSAGES_MAX) this.#messages.clear();
      this.#messages.set(row.messageId, message);
    }
    return message;
  }
}

function mergedOf({ mergeValues, pageCounts, body, priceMilli, pageCount }: ClaimedRow): MergedBatch | undefined {
  if (mergeValues === null) return undefined;
  const pagePriceMilli = priceMilli / pageCount;
  const pricesMilli = (pageCounts ?? []).map((pages) => pages * pagePriceMilli);
  return { texts: new MergedTexts(mergeValues, body), pricesMilli };
}

function nameOf(messageId: string, batchIndex: number, attempt: number): string {
  return `${messageId}:${batchIndex}:${attempt}`;
}

function offsetsBelow(count: number): number[] {
  return Array.from({ length: count }, (_, offset) => offset);
}
