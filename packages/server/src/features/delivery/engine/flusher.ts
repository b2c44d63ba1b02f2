import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { isConnectionLost, isTransactionConflict, SQL_STATE, sqlStateOf } from "../../../db/sql-state.ts";
import { CommitUnknownError, withTransaction } from "../../../db/transaction.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { TimeWentBackError } from "../send-mark/send-mark.ts";
import { quarantineMessage } from "../queue/batch-store.ts";
import { commitFlush, type FlushResult, type FlushSettings } from "../outcomes/flush-commit.ts";
import { FlushPlan, straysMax } from "../outcomes/flush-plan.ts";
import { isFlushCommitted, LEAVE } from "../outcomes/flush-store.ts";
import { Handover, OFFSET, type LiveBatch } from "./live-batch.ts";
import { Outbox, type StrayReport } from "../outcomes/outbox.ts";

const RETRY_DELAY_MS = 50;
const RETRY_DELAY_MS_MAX = 1_000;

export type FlusherOwner = {
  /** Marks offsets as requested, up to the carriers' limits, and returns the batches that they are in. */
  requestGrants: () => Set<LiveBatch>;
  /** The batch is done, given back or lost. */
  onBatchEnd: (batch: LiveBatch) => void;
  /** Its customer asked for a pause or to cancel. */
  onStop: (batch: LiveBatch) => void;
  /** Reports that still match nothing. */
  onStraysWaiting: (strays: StrayReport[]) => void;
  /** Committed: hand over, claim, tell. */
  onFlushed: (changed: FlushResult["changed"]) => void;
};

export type FlushStats = { flushes: number; answers: number; reports: number };

/**
 * Commits what is known, one transaction after the other: while one is under way the next gathers, so flushes are small
 * when little happens and large under load.
 */
export class Flusher {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #settings: FlushSettings;
  readonly #owner: FlusherOwner;
  outbox = new Outbox();
  readonly stats: FlushStats = { flushes: 0, answers: 0, reports: 0 };
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  /** Of the flush that is under way, or was last. */
  #flushNumber = 0;
  #isStopped = false;
  /** Asked for while a flush was under way: that one may have looked already. */
  #isWanted = false;

  constructor(db: Db, log: Logger, settings: FlushSettings, owner: FlusherOwner) {
    this.#db = db;
    this.#log = log;
    this.#settings = settings;
    this.#owner = owner;
  }

  /** Something waits in the outbox, or may be granted. Cheap to call for every recipient. */
  schedule(): void {
    this.#isWanted = true;
    if (this.#running !== undefined || this.#timer !== undefined || this.#isStopped) return;
    const waitMs = this.#startedAtMs + deliveryTimesMs.flushGap - performance.now();
    if (waitMs >= 1) this.#timer = setTimeout(() => this.#start(), waitMs);
    // At the end of this turn: the answers of one read from the socket go together.
    else this.#timer = setTimeout(() => this.#start(), 0);
  }

  /** Runs until nothing is left to be committed, or the time is over: a database that is away cannot be waited for. */
  async drain(timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while ((this.#running !== undefined || !this.outbox.isEmpty) && performance.now() < deadlineMs) {
      if (this.#running === undefined) this.#start();
      await Promise.race([this.#running, sleep(deadlineMs - performance.now(), undefined, { ref: false })]);
    }
  }

  /** Commits nothing more: the lease is gone, or the process gives up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = false;
    this.#startedAtMs = performance.now();
    this.#running = this.#flush().finally(() => {
      this.#running = undefined;
      if (this.#isWanted || !this.outbox.isEmpty) this.schedule();
    });
  }

  async #flush(): Promise<void> {
    const outbox = this.outbox;
    this.outbox = new Outbox();
    // More than a statement should look up at once waits for the next one.
    this.outbox.strays = outbox.strays.splice(straysMax);
    const plan = new FlushPlan(outbox, this.#owner.requestGrants());
    if (plan.isEmpty) return this.#acknowledge(plan);
    try {
      const result = await this.#commit(plan);
      if (result !== undefined) this.#apply(plan, result);
    } catch (error) {
      await this.#isolate(plan, error);
    }
  }

  /** Tries until it is certain that the plan is committed. @returns undefined when the flusher was stopped instead. */
  async #commit(plan: FlushPlan): Promise<FlushResult | undefined> {
    this.#flushNumber += 1;
    for (let delayMs = RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS_MAX)) {
      let result: FlushResult | undefined;
      try {
        return await withTransaction(this.#db, async (tx) => {
          result = await commitFlush(tx, plan, this.#settings, this.#flushNumber);
          return result;
        });
      } catch (error) {
        if (error instanceof CommitUnknownError && result !== undefined && (await this.#wasCommitted())) return result;
        if (!isPassing(error)) throw error;
        this.#log.warn({ err: error, retryInMs: delayMs }, "a flush failed and is tried again");
        if (this.#isStopped) return undefined;
        await sleep(delayMs);
      }
    }
  }

  async #wasCommitted(): Promise<boolean> {
    for (;;) {
      try {
        return await isFlushCommitted(this.#db, { workerId: this.#settings.workerId, flushNumber: this.#flushNumber });
      } catch (error) {
        if (this.#isStopped || !isPassing(error)) throw error;
      }
      await sleep(RETRY_DELAY_MS);
    }
  }

  #apply(plan: FlushPlan, { fenced, waitingStrays, changed }: FlushResult): void {
    this.stats.flushes += 1;
    this.stats.answers += plan.outcomes.length;
    this.stats.reports += plan.reported.length + plan.strays.length;
    const held = new Map(fenced.map((batch) => [batch.place, batch]));
    for (const [index, { recipient }] of plan.outcomes.entries()) {
      const { batch, offset } = recipient;
      batch.offsets[offset] = OFFSET.recorded;
      batch.openCount -= 1;
      batch.busyCount -= 1;
      recipient.isRecorded = held.has(plan.places[index] ?? -1);
      if (recipient instanceof Handover) recipient.carrier.unrecordedCount -= 1;
    }
    for (const [place, batch] of plan.batches.entries()) {
      const fencedBatch = held.get(place);
      if (fencedBatch === undefined) this.#lose(batch);
      else if (plan.leaves[place] === LEAVE.stays) this.#keep(batch, fencedBatch.stop);
      else this.#owner.onBatchEnd(batch);
    }
    this.#acknowledge(plan);
    const waiting = new Set(waitingStrays);
    for (const stray of plan.strays) {
      if (!waiting.has(stray)) stray.report.acknowledge();
    }
    this.#owner.onStraysWaiting(waitingStrays);
    this.#owner.onFlushed(changed);
  }

  #keep(batch: LiveBatch, stop: number): void {
    for (const [offset, state] of batch.offsets.entries())
      if (state === OFFSET.requested) batch.offsets[offset] = OFFSET.granted;
    for (const share of batch.shares) share.syncGrants();
    if (stop !== 0) this.#owner.onStop(batch);
  }

  #lose(batch: LiveBatch): void {
    if (batch.isLost) return;
    this.#log.warn(
      { messageId: batch.message.messageId, batchIndex: batch.batchIndex },
      "a batch was taken over by another worker",
    );
    batch.isLost = true;
    this.#owner.onBatchEnd(batch);
  }

  #acknowledge(plan: FlushPlan): void {
    for (const report of plan.outbox.acknowledgeable) report.acknowledge();
  }

  /**
   * A fault that would come again: the messages of the plan are committed one by one, and the one that fails is paused
   * for an operator. Everybody else's go on.
   */
  async #isolate(plan: FlushPlan, error: unknown): Promise<void> {
    const messageIds = new Set(plan.batches.map((batch) => batch.message.messageId));
    for (const { batch } of plan.reported) messageIds.add(batch.message.messageId);
    if (messageIds.size + (plan.strays.length > 0 ? 1 : 0) > 1) {
      this.#log.error({ err: error }, "a flush failed; its messages are recorded one by one");
      for (const part of splitOutbox(plan)) await this.#flushPart(part);
      return;
    }
    this.#log.error({ err: error, messageId: [...messageIds][0] }, "a message cannot be recorded and is held back");
    for (const report of plan.outbox.acknowledgeable) report.refuse();
    for (const stray of plan.strays) stray.report.refuse();
    for (const batch of plan.batches) {
      await this.#quarantine(batch);
      batch.isLost = true;
      this.#owner.onBatchEnd(batch);
    }
    for (const { recipient } of plan.outcomes)
      if (recipient instanceof Handover) recipient.carrier.unrecordedCount -= 1;
  }

  /** Tries until the message is held back: nobody awaits a flush, so that a refusal here would end the process. */
  async #quarantine({ message: { userId, messageId } }: LiveBatch): Promise<void> {
    for (let delayMs = RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS_MAX)) {
      try {
        return await withTransaction(this.#db, (tx) =>
          quarantineMessage(tx, { workerId: this.#settings.workerId, userId, messageId }),
        );
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#log.warn(
          { err: error, messageId, retryInMs: delayMs },
          "holding a message back failed and is tried again",
        );
        if (this.#isStopped) return;
        await sleep(delayMs);
      }
    }
  }

  async #flushPart(outbox: Outbox): Promise<void> {
    const plan = new FlushPlan(outbox, []);
    try {
      const result = await this.#commit(plan);
      if (result !== undefined) this.#apply(plan, result);
    } catch (error) {
      await this.#isolate(plan, error);
    }
  }
}

/** Whether the same transaction may succeed later: the server is away, full or busy, or another one was in the way. */
function isPassing(error: unknown): boolean {
  if (
    error instanceof CommitUnknownError ||
    error instanceof TimeWentBackError ||
    isConnectionLost(error) ||
    isTransactionConflict(error)
  )
    return true;
  const state = sqlStateOf(error);
  const passing: (string | undefined)[] = [
    SQL_STATE.lockNotAvailable,
    SQL_STATE.queryCanceled,
    SQL_STATE.diskFull,
    SQL_STATE.tooManyConnections,
    SQL_STATE.databaseDropped,
  ];
  return passing.includes(state);
}

/** One outbox for each message of the plan, and one for the reports that are not matched yet. */
function splitOutbox(plan: FlushPlan): Outbox[] {
  const parts = new Map<string, Outbox>();
  const partOf = (batch: LiveBatch): Outbox => {
    const part = parts.get(batch.message.messageId) ?? new Outbox();
    parts.set(batch.message.messageId, part);
    return part;
  };
  for (const batch of plan.batches) partOf(batch).touched.add(batch);
  for (const { recipient, answer } of plan.outcomes) partOf(recipient.batch).answered.push({ recipient, answer });
  for (const handover of plan.reported) partOf(handover.batch).reported.add(handover);
  const strays = new Outbox();
  strays.strays = plan.strays;
  // Acknowledged last, with a part that is committed when all others were tried.
  strays.acknowledgeable = plan.outbox.acknowledgeable;
  return [...parts.values(), strays];
}
