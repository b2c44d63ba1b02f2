import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { openSpan, type OpenSpan } from "../../../base/tracing.ts";
import type { Db } from "../../../db/pool.ts";
import { isConnectionLost, isInternal, isTransactionConflict, SQL_STATE, sqlStateOf } from "../../../db/sql-state.ts";
import { CommitUnknownError, withTransaction } from "../../../db/transaction.ts";
import { deliveryLimits, deliveryTimesMs } from "../delivery-limits.ts";
import { TimeWentBackError } from "../send-mark/send-mark.ts";
import { quarantineMessage } from "../queue/batch-store.ts";
import {
  commitFlush,
  commitReports,
  planWhole,
  resultOfWhole,
  type FlushResult,
  type FlushSettings,
} from "../outcomes/flush-commit.ts";
import { FlushPlan } from "../outcomes/flush-plan.ts";
import { isFlushCommitted, LEAVE, recordFlush } from "../outcomes/flush-store.ts";
import type { ReportMatcher } from "../outcomes/report-matcher.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { InFlight, LiveBatch } from "./in-flight.ts";
import { OutboxContents, type Lane, type Outbox, type UnmatchedReport } from "./outbox.ts";

/** Of so many flushes one is traced: a busy worker makes 40 a second. */
const FLUSHES_PER_SPAN = 50;
const RETRY_DELAY_MS = 50;
const RETRY_DELAY_MS_MAX = 1_000;
/** How often a flush may meet an error that a server calls internal before its messages are looked at one by one: about seven seconds in all. */
const INTERNAL_FAULTS_MAX = 10;

/** Whom a flush asks, and what a committed one moves. */
export type FlushParts = {
  inFlight: InFlight;
  outbox: Outbox;
  dispatcher: Dispatcher;
  matcher: ReportMatcher;
  /** A flush of answers begins when the grant under way has ended. */
  grantsSettled: () => Promise<void>;
  /** Messages whose counts a committed flush moved. */
  onFlushed: (changed: FlushResult["changed"]) => void;
};

export type FlushStats = { flushes: number; answers: number; reports: number };

/**
 * Commits what is known of one lane, one flush after the other: while one is under way the next gathers, so flushes are small
 * when little happens and large under load. Carriers wait for flushes of answers, which make room for the next intents; reports go beside them.
 */
export class Flusher {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #settings: FlushSettings;
  readonly #parts: FlushParts;
  readonly #lane: Lane;
  readonly #gapMs: number;
  readonly stats: FlushStats = { flushes: 0, answers: 0, reports: 0 };
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  /** Of the flush that is under way, or was last. */
  #flushNumber = 0;
  #isStopped = false;
  /** Set when a flush is asked for during another one, which may have looked already; another one follows. */
  #isWanted = false;
  /** Whether the flush that a timer waits for is urgent. */
  #isUrgent = false;
  /** The batches that the flush under way writes. */
  #recording = new Set<LiveBatch>();

  constructor(db: Db, log: Logger, lane: Lane, settings: FlushSettings, parts: FlushParts) {
    this.#db = db;
    this.#log = log;
    this.#settings = settings;
    this.#parts = parts;
    this.#lane = lane;
    this.#gapMs = lane === "answers" ? deliveryTimesMs.flushGap : deliveryTimesMs.reportGap;
    parts.outbox.onWake[lane] = (isUrgent) => this.#schedule(isUrgent);
  }

  #schedule(isUrgent = false): void {
    this.#isWanted = true;
    if (this.#running !== undefined || this.#isStopped) return;
    if (this.#timer !== undefined) {
      if (!isUrgent || this.#isUrgent) return;
      clearTimeout(this.#timer);
    }
    this.#isUrgent = isUrgent;
    const gapMs = isUrgent ? deliveryTimesMs.urgentFlushGap : this.#gapMs;
    const waitMs = this.#startedAtMs + gapMs - performance.now();
    if (waitMs >= 1) this.#timer = setTimeout(() => this.#start(), waitMs);
    // At the end of this turn: the answers of one read from the socket go together.
    else this.#timer = setTimeout(() => this.#start(), 0);
  }

  /** Whether the flush under way writes the batch. */
  isRecording(batch: LiveBatch): boolean {
    return this.#recording.has(batch);
  }

  get #isDone(): boolean {
    return this.#parts.outbox.isEmpty(this.#lane);
  }

  /** Runs until nothing is left to be committed, or the time is over: a database that is away cannot be waited for. */
  async drain(timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while ((this.#running !== undefined || !this.#isDone) && performance.now() < deadlineMs) {
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
      this.#recording.clear();
      if (!this.#isWanted && this.#isDone) return;
      // What was answered meanwhile goes at once, before the grants that this flush made room for: a flush would wait for those.
      if (performance.now() - this.#startedAtMs >= this.#gapMs && !this.#isStopped) this.#start();
      else this.#schedule();
    });
  }

  async #flush(): Promise<void> {
    if (this.#lane === "answers") await this.#parts.grantsSettled();
    const plan = this.#plan(this.#parts.outbox.take(this.#lane, deliveryLimits.lookupsPerFlush));
    if (plan.isEmpty) return this.#acknowledge(plan);
    const span = this.stats.flushes % FLUSHES_PER_SPAN === 0 ? this.#trace(plan) : undefined;
    try {
      const result = await this.#commit(plan);
      if (result !== undefined) this.#apply(plan, result);
      span?.end({}, result === undefined);
    } catch (error) {
      span?.end({}, true);
      await this.#isolate(plan, error);
    }
  }

  #trace(plan: FlushPlan): OpenSpan | undefined {
    const facts = {
      "ewebal.answers": plan.outcomes.length,
      "ewebal.reports": plan.reported.length + plan.unmatched.length,
      "ewebal.batches": plan.batches.length,
    };
    return openSpan(`flush of ${this.#lane}`, { kind: "internal", facts });
  }

  #plan(contents: OutboxContents): FlushPlan {
    const plan = new FlushPlan(contents, this.#parts.inFlight);
    for (const { recipient } of plan.outcomes) this.#parts.inFlight.plan(recipient);
    for (const { batch } of plan.batches) this.#recording.add(batch);
    return plan;
  }

  /** Tries until it is certain that the plan is committed. @returns undefined when the flusher was stopped instead. */
  async #commit(plan: FlushPlan): Promise<FlushResult | undefined> {
    if (this.#lane === "reports")
      return await this.#retry(async () => await commitReports(this.#db, plan, this.#settings));
    this.#flushNumber += 1;
    const flushNumber = this.#flushNumber;
    const whole = planWhole(this.#db, plan, this.#settings);
    let isWhole = whole !== undefined;
    return await this.#retry(async () => {
      if (whole !== undefined && isWhole) {
        const flush = { workerId: this.#settings.workerId, flushNumber };
        try {
          return resultOfWhole(plan, whole, await recordFlush(this.#db, flush, this.#settings.mark.known, whole));
        } catch (error) {
          const state = sqlStateOf(error);
          if (state === SQL_STATE.flushRecorded || (isConnectionLost(error) && (await this.#wasCommitted())))
            return resultOfWhole(plan, whole);
          if (state !== SQL_STATE.flushRefused) throw error;
          isWhole = false;
        }
      }
      let result: FlushResult | undefined;
      try {
        return await withTransaction(this.#db, async (tx) => {
          result = await commitFlush(tx, { plan, reported: plan.reported }, this.#settings, flushNumber);
          return result;
        });
      } catch (error) {
        if (error instanceof CommitUnknownError && result !== undefined && (await this.#wasCommitted())) return result;
        if (sqlStateOf(error) === SQL_STATE.flushRecorded) return resultOfWhole(plan, whole);
        throw error;
      }
    });
  }

  /** @returns undefined when the flusher was stopped instead. */
  async #retry(commit: () => Promise<FlushResult>): Promise<FlushResult | undefined> {
    let internalCount = 0;
    for (let delayMs = RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS_MAX)) {
      try {
        return await commit();
      } catch (error) {
        if (isPossiblyPassing(error)) internalCount += 1;
        else if (!isPassing(error)) throw error;
        if (internalCount > INTERNAL_FAULTS_MAX) throw error;
        this.#log.warn({ err: error, retryInMs: delayMs }, "a flush failed and is tried again");
        if (this.#isStopped) return undefined;
        await sleep(delayMs);
      }
    }
  }

  /** Asks until the database has answered, whatever error comes meanwhile: a flush that is written again without knowing may be there twice. */
  async #wasCommitted(): Promise<boolean> {
    for (;;) {
      try {
        return await isFlushCommitted(this.#db, { workerId: this.#settings.workerId, flushNumber: this.#flushNumber });
      } catch (error) {
        if (this.#isStopped) throw error;
        this.#log.warn({ err: error }, "whether a flush was committed could not be asked and is asked again");
      }
      await sleep(RETRY_DELAY_MS);
    }
  }

  #apply(plan: FlushPlan, { fenced, waiting, changed }: FlushResult): void {
    const { inFlight, dispatcher, matcher, outbox, onFlushed } = this.#parts;
    this.stats.flushes += 1;
    this.stats.answers += plan.outcomes.length;
    this.stats.reports += plan.reported.length + plan.unmatched.length;
    const fencedByIndex = new Map(fenced.map((batch) => [batch.batchIndex, batch]));
    for (const { recipient, batchIndex } of plan.outcomes)
      if (fencedByIndex.has(batchIndex)) inFlight.record(recipient);
    for (const [index, { batch, leave, intentCount, redo }] of plan.batches.entries()) {
      // The session may have ended meanwhile.
      if (!inFlight.has(batch)) continue;
      const fencedBatch = fencedByIndex.get(index);
      if (fencedBatch !== undefined) this.#settings.mark.remember({ ...batch.leaseKey, intentCount, redo });
      if (fencedBatch === undefined) this.#lose(batch);
      else if (leave !== LEAVE.stays) dispatcher.endBatch(batch);
      else {
        inFlight.grant(batch);
        if (fencedBatch.stop !== 0) dispatcher.stopBatch(batch);
      }
    }
    this.#acknowledge(plan);
    if (this.#lane === "answers") outbox.releaseReports();
    const waitingOnes = new Set(waiting);
    for (const unmatched of plan.unmatched) if (!waitingOnes.has(unmatched)) unmatched.report.acknowledge();
    matcher.keepEarly(waiting);
    onFlushed(changed);
  }

  #lose(batch: LiveBatch): void {
    this.#log.warn(
      { messageId: batch.message.messageId, batchIndex: batch.batchIndex },
      "a batch was taken over by another worker",
    );
    this.#parts.dispatcher.loseBatch(batch);
  }

  /** What is about an answer that this worker did not get to record, because it lost the batch, goes on as a report that matches nothing. */
  #acknowledge({ contents }: FlushPlan): void {
    const unmatched: UnmatchedReport[] = [];
    for (const [index, report] of contents.acknowledgeable.entries()) {
      const handover = contents.acknowledgedFor[index];
      if (handover === undefined || handover.isRecorded) {
        if (handover !== undefined) this.#parts.matcher.onReported(handover, report);
        report.acknowledge();
      } else {
        const { carrierId, name: carrierName } = handover.carrier.facts;
        unmatched.push({ carrierId, carrierName, report, arrivedAtMs: performance.now() });
      }
    }
    if (unmatched.length > 0) this.#parts.outbox.addUnmatched(unmatched);
  }

  /**
   * A fault that would come again: the messages of the plan are committed one by one, and the one that fails is paused
   * for an operator. Everybody else's go on.
   */
  async #isolate(plan: FlushPlan, error: unknown): Promise<void> {
    const messageIds = new Set(plan.batches.map(({ batch }) => batch.message.messageId));
    for (const { batch } of plan.reported) messageIds.add(batch.message.messageId);
    if (messageIds.size + (plan.unmatched.length > 0 ? 1 : 0) > 1) {
      this.#log.error({ err: error }, "a flush failed; its messages are recorded one by one");
      for (const part of splitByMessage(plan)) await this.#flushPart(part);
      return;
    }
    this.#log.error({ err: error, messageId: [...messageIds][0] }, "a message cannot be recorded and is held back");
    for (const report of plan.contents.acknowledgeable) report.refuse();
    for (const { report } of plan.unmatched) report.refuse();
    for (const { batch } of plan.batches) {
      await this.#quarantine(batch);
      if (this.#parts.inFlight.has(batch)) this.#parts.dispatcher.loseBatch(batch);
    }
    this.#parts.outbox.releaseReports();
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

  async #flushPart(contents: OutboxContents): Promise<void> {
    const plan = this.#plan(contents);
    try {
      const result = await this.#commit(plan);
      if (result !== undefined) this.#apply(plan, result);
    } catch (error) {
      await this.#isolate(plan, error);
    }
  }
}

/** Whether a server found a fault in itself: it may pass, or be a message's that comes again. */
function isPossiblyPassing(error: unknown): boolean {
  return isInternal(error instanceof CommitUnknownError ? error.cause : error);
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
    SQL_STATE.flushRefused,
  ];
  return passing.includes(state);
}

/** The contents of one message each, and those of the reports that are not matched yet. */
function splitByMessage(plan: FlushPlan): OutboxContents[] {
  const parts = new Map<string, OutboxContents>();
  const partOf = (batch: LiveBatch): OutboxContents => {
    const part = parts.get(batch.message.messageId) ?? new OutboxContents();
    parts.set(batch.message.messageId, part);
    return part;
  };
  for (const { batch } of plan.batches) partOf(batch).touched.add(batch);
  for (const { recipient, answer } of plan.outcomes) partOf(recipient.batch).answered.push({ recipient, answer });
  for (const handover of plan.reported) partOf(handover.batch).reported.add(handover);
  const rest = new OutboxContents();
  rest.unmatched = plan.unmatched;
  // Acknowledged last, with a part that is committed when all others were tried.
  rest.acknowledgeable = plan.contents.acknowledgeable;
  rest.acknowledgedFor = plan.contents.acknowledgedFor;
  return [...parts.values(), rest];
}
