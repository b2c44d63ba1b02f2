import assert from "node:assert/strict";
import { isDistributed } from "../../../db/distribution.ts";
import type { Db } from "../../../db/pool.ts";
import { SQL_STATE, sqlStateOf } from "../../../db/sql-state.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { CarrierReport } from "../carriers/carrier.ts";
import type { UnmatchedReport } from "../engine/outbox.ts";
import { Handover, type Answer } from "../engine/in-flight.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { letWait } from "../queue/batch-store.ts";
import { batchStates, deliveryStateName, deliveryStates } from "../states.ts";
import { addUpOutcomes, applyOutcomes, type Outcome, type PricedMessage } from "./apply-outcomes.ts";
import { insertEarlyReports } from "./early-report-store.ts";
import type { FlushPlan, PlannedBatch } from "./flush-plan.ts";
import {
  countColumnOf,
  insertParts,
  insertUnknown,
  LEAVE,
  markFlush,
  recordOutcomes,
  type FencedBatch,
  type WholeFlush,
} from "./flush-store.ts";
import {
  findByKeys,
  recordDelivered,
  recordDeliveredOfMessage,
  recordReports,
  type DeliveredOfMessage,
  type FoundDelivery,
  type ReportColumns,
} from "./report-store.ts";
import type { ReportHorizon } from "./report-horizon.ts";

export type FlushSettings = { workerId: string; isRefundingFailed: boolean; horizon: ReportHorizon; mark: SendMark };

export type FlushResult = {
  /** The batches of the plan that are still ours. */
  fenced: FencedBatch[];
  /** Reports that matched nothing and are not stored either: they wait on. */
  waiting: UnmatchedReport[];
  /** Messages whose counts moved. */
  changed: { userId: string; messageId: string }[];
};

/**
 * What a flush of answers writes when all of its batches are still the worker's, to be recorded as a whole in one round trip.
 *
 * @returns undefined when what it writes depends on what its first statements find, or is too rare to be part of that: batches that are given
 *   back, unknown answers, numbers that are struck off, refunds; and on a cluster.
 */
export function planWhole(db: Db, plan: FlushPlan, settings: FlushSettings): WholeFlush | undefined {
  if (isDistributed(db) || plan.batches.length === 0) return undefined;
  if (plan.batches.some(({ leave }) => leave === LEAVE.givenBack)) return undefined;
  if (plan.outcomes.some(({ state }) => state === deliveryStates.unknown)) return undefined;
  const all = new Set(plan.batches.keys());
  const { counts, holds, refunds, listed } = addUpOutcomes(outcomesOfAnswers(plan, all), settings);
  if (refunds.length > 0 || listed.length > 0) return undefined;
  return {
    batches: plan.batchColumns(),
    outcomes: plan.outcomeColumns(),
    parts: plan.partColumns(all),
    counts,
    holds,
  };
}

/**
 * What a flush has done whose batches were all still the worker's.
 *
 * @param stops what the customers ask of the batches; nothing where that is not known: the worker's next look at its leases will tell.
 */
export function resultOfWhole(
  plan: FlushPlan,
  whole: WholeFlush | undefined,
  stops: readonly number[] = [],
): FlushResult {
  return {
    fenced: plan.batches.map((_, batchIndex) => ({
      batchIndex,
      state: batchStates.leased,
      stop: stops[batchIndex] ?? 0,
    })),
    waiting: [],
    changed: whole === undefined ? plan.batches.map(({ batch }) => batch.message) : [...whole.counts],
  };
}

/**
 * Writes a flush of reports: what many short ones of one message say as a whole, the rest by `commitFlush`. Done again after a connection that was
 * lost it changes nothing: deliveries move forward once.
 *
 * @throws TimeWentBackError when the database is an older one.
 */
export async function commitReports(db: Db, plan: FlushPlan, settings: FlushSettings): Promise<FlushResult> {
  const delivered: DeliveredOfMessage[] = [];
  const rest: Handover[] = [];
  for (const group of groupByMessage(plan.reported)) {
    rest.push(...group.others);
    if (isDistributed(db) || group.delivered.length < DELIVERED_ALONE_MIN) rest.push(...group.delivered);
    else delivered.push({ ...group.message, positions: group.delivered.map(({ position }) => position) });
  }
  if (delivered.length > 0) {
    await recordDelivered(db, settings.mark.known, delivered).catch(async (error: unknown) => {
      if (sqlStateOf(error) === SQL_STATE.flushRefused) await settings.mark.assertOurs(db);
      throw error;
    });
  }
  const changed = delivered.map(({ userId, messageId }) => ({ userId, messageId }));
  if (rest.length === 0 && plan.unmatched.length === 0) return { fenced: [], waiting: [], changed };
  const others = await withTransaction(db, (tx) => commitFlush(tx, { plan, reported: rest }, settings));
  return { ...others, changed: [...changed, ...others.changed] };
}

/**
 * Writes a flush: batches and deliveries here, in this order, and the rest by `applyOutcomes`.
 *
 * @param reported those reports of the plan that are to be written.
 * @param flushNumber by which the worker learns what became of a COMMIT that was not answered; a flush of reports has none.
 * @throws TimeWentBackError when the database is an older one: the worker session is about to end.
 */
export async function commitFlush(
  tx: Tx,
  { plan, reported: handovers }: { plan: FlushPlan; reported: readonly Handover[] },
  settings: FlushSettings,
  flushNumber?: number,
): Promise<FlushResult> {
  const flush = flushNumber === undefined ? undefined : { workerId: settings.workerId, flushNumber };
  const hasBatches = plan.batches.length > 0 && flush !== undefined;
  const fenced = hasBatches
    ? await recordOutcomes(tx, flush, settings.mark.known, {
        batches: plan.batchColumns(),
        outcomes: plan.outcomeColumns(),
      })
    : [];
  if (fenced.length === 0) await settings.mark.assertOurs(tx);
  const fencedIndexes = new Set(fenced.map(({ batchIndex }) => batchIndex));
  const waitingBatches = plan.waitingBatches(fencedIndexes);
  if (waitingBatches.length > 0) await letWait(tx, waitingBatches);
  const parts = plan.partColumns(fencedIndexes);
  if (parts.keys.length > 0) await insertParts(tx, parts);
  const unknown = plan.unknownColumns(fencedIndexes);
  if (unknown.positions.length > 0) await insertUnknown(tx, unknown, deliveryTimesMs.unknownRelease);

  const found = await findUnmatched(tx, plan.unmatched, settings.horizon);
  const waiting = await storeUnmatched(tx, plan.unmatched, found);
  const reported = await writeReports(tx, handovers, found);

  const outcomes = [...outcomesOfAnswers(plan, fencedIndexes), ...outcomesOfCancelled(plan, fenced), ...reported];
  const changed = await applyOutcomes(tx, outcomes, settings);
  if (!hasBatches && flush !== undefined) await markFlush(tx, flush);
  return { fenced, waiting, changed };
}

/** Recipients of one message that fared alike, one after the other, are one outcome. */
function outcomesOfAnswers(plan: FlushPlan, fencedIndexes: ReadonlySet<number>): Outcome[] {
  const outcomes: AnswerOutcome[] = [];
  let last: AnswerOutcome | undefined;
  for (const { recipient, answer, state, batchIndex } of plan.outcomes) {
    if (!fencedIndexes.has(batchIndex)) continue;
    const { batch, offset } = recipient;
    const priceMilli = batch.priceMilliOf(offset);
    const to = countColumnOf(deliveryStateName(state));
    const units = unitsOf(answer.kind);
    const carrierName = recipient instanceof Handover ? recipient.carrier.facts.name : undefined;
    const isAlike = last?.of === batch.message && last.message.priceMilli === priceMilli && last.to === to;
    if (last === undefined || !isAlike || last.units !== units || last.carrierName !== carrierName) {
      const message = priced(batch.message, priceMilli);
      last = {
        of: batch.message,
        message,
        from: "waiting",
        to,
        count: 0,
        units,
        carrierName,
        positions: [],
        phoneNos: [],
      };
      outcomes.push(last);
    }
    last.count += 1;
    if (to !== "failed" && to !== "dnd") continue;
    last.positions.push(batch.firstPosition + offset);
    last.phoneNos.push(batch.phoneNos[offset] ?? 0);
  }
  return outcomes;
}

/** `of` is the message in memory, which its outcomes have in common. */
type AnswerOutcome = Outcome & { of: PricedMessage; positions: number[]; phoneNos: number[] };

/** A message at the price of some of its recipients. */
function priced(message: PricedMessage, priceMilli: number): PricedMessage {
  if (message.priceMilli === priceMilli) return message;
  const { userId, messageId, holdId } = message;
  return { userId, messageId, holdId, priceMilli };
}

/** Units of a recipient whose answer was lost stay held. */
function unitsOf(kind: Answer["kind"]): Outcome["units"] {
  if (kind === "accepted") return "charge";
  return kind === "unknown" ? "settled" : "release";
}

/** What a customer cancelled while a worker had it: the rest of the batch ends here, and its units come back. */
function outcomesOfCancelled(plan: FlushPlan, fenced: readonly FencedBatch[]): Outcome[] {
  return fenced.flatMap(({ batchIndex, state }): Outcome[] => {
    const planned = plan.batches[batchIndex];
    if (planned?.leave !== LEAVE.givenBack || state !== batchStates.cancelled) return [];
    const { batch } = planned;
    return [...countByPrice(planned)].map(([priceMilli, count]) => ({
      message: priced(batch.message, priceMilli),
      from: "waiting",
      to: "cancelled",
      count,
      units: "release",
    }));
  });
}

/** The recipients that a batch given back leaves without an answer: those behind its intents, and those to be done again. */
function countByPrice({ batch, intentCount, redo, restCount }: PlannedBatch): Map<number, number> {
  const counts = new Map<number, number>();
  const count = (offset: number): void => {
    const priceMilli = batch.priceMilliOf(offset);
    counts.set(priceMilli, (counts.get(priceMilli) ?? 0) + 1);
  };
  for (let offset = intentCount; offset < batch.phoneNos.length; offset += 1) count(offset);
  for (const offset of redo) count(offset);
  assert.equal(
    batch.phoneNos.length - intentCount + redo.length,
    restCount,
    "a batch that is given back has no recipient in hand",
  );
  return counts;
}

async function findUnmatched(
  tx: Tx,
  unmatched: readonly UnmatchedReport[],
  horizon: ReportHorizon,
): Promise<Map<UnmatchedReport, FoundDelivery>> {
  const named = unmatched.filter(({ report }) => report.key !== "");
  const found = new Map<UnmatchedReport, FoundDelivery>();
  if (named.length === 0) return found;
  const rows = await findByKeys(tx, {
    keys: named.map(({ report }) => report.key),
    carrierIds: named.map(({ carrierId }) => carrierId),
    oldestMessageId: horizon.oldestMessageId,
  });
  for (const row of rows) {
    const report = named[row.keyIndex];
    if (report !== undefined) found.set(report, row);
  }
  return found;
}

/** Stores the reports that have waited long enough in memory. @returns those that wait on. */
async function storeUnmatched(
  tx: Tx,
  reports: readonly UnmatchedReport[],
  found: ReadonlyMap<UnmatchedReport, FoundDelivery>,
): Promise<UnmatchedReport[]> {
  const oldestMs = performance.now() - deliveryTimesMs.earlyInMemory;
  const unmatched = reports.filter((report) => !found.has(report));
  const overdue = unmatched.filter(({ arrivedAtMs }) => arrivedAtMs <= oldestMs);
  if (overdue.length > 0) {
    await insertEarlyReports(
      tx,
      overdue.map(({ carrierId, report }) => ({ ...report, carrierId })),
      deliveryTimesMs.earlyRetries[0],
    );
  }
  return unmatched.filter(({ arrivedAtMs }) => arrivedAtMs > oldestMs);
}

/** With so many reports about one message a statement of its own costs less than its rows among others. */
const DELIVERED_ALONE_MIN = 100;

/** Writes what reports say to the deliveries. @returns what became of those that they moved. */
async function writeReports(
  tx: Tx,
  handovers: readonly Handover[],
  found: ReadonlyMap<UnmatchedReport, FoundDelivery>,
): Promise<Outcome[]> {
  const reports = new ReportRows();
  const outcomes: Outcome[] = [];
  for (const { message, carrierName, delivered, others } of groupByMessage(handovers)) {
    if (delivered.length < DELIVERED_ALONE_MIN) others.push(...delivered);
    else {
      const positions = delivered.map(({ position }) => position);
      const count = await recordDeliveredOfMessage(tx, {
        userId: message.userId,
        messageId: message.messageId,
        positions,
      });
      outcomes.push({ message, from: "sent", to: "delivered", count, units: "settled", carrierName });
    }
    for (const handover of others) reports.addHandover(handover);
  }
  for (const [{ report, carrierName }, delivery] of found) reports.addFound(report, delivery, carrierName);
  if (reports.isEmpty) return outcomes;
  for (const { messageId, state, count, positions, phoneNos } of await recordReports(tx, reports.columns)) {
    const about = reports.about(messageId);
    if (about === undefined) continue;
    outcomes.push({
      ...about,
      from: "sent",
      to: countColumnOf(deliveryStateName(state)),
      count,
      units: "settled",
      positions,
      phoneNos,
    });
  }
  return outcomes;
}

type MessageReports = {
  message: PricedMessage;
  /** Who reported about it. */
  carrierName: string;
  /** Short ones that arrived. */
  delivered: Handover[];
  others: Handover[];
};

/** In the order of the ids: so the flushes of two workers lock deliveries. */
function groupByMessage(reported: readonly Handover[]): MessageReports[] {
  const groups = new Map<string, MessageReports>();
  let group: MessageReports | undefined;
  for (const handover of reported) {
    const { message } = handover.batch;
    if (group?.message !== message) group = groups.get(message.messageId);
    if (group === undefined) {
      group = { message, carrierName: handover.carrier.facts.name, delivered: [], others: [] };
      groups.set(message.messageId, group);
    }
    if (handover.allParts === 1 && handover.failure === undefined) group.delivered.push(handover);
    else group.others.push(handover);
  }
  return [...groups.values()].toSorted((one, other) => (one.message.messageId < other.message.messageId ? -1 : 1));
}

type ReportedMessage = {
  number: number;
  message: PricedMessage;
  carrierName: string;
  /** Where recipients pay something else than the message's first one that was reported about. */
  ownPricesMilli: Map<number, number>;
};

/** Reports as `recordReports` takes them: one row for each delivery, since an update takes only one of two rows about the same one. */
class ReportRows {
  readonly columns: ReportColumns = {
    userIds: [],
    messageIds: [],
    messageNumbers: [],
    positions: [],
    deliveredParts: [],
    allParts: [],
    failures: [],
    errorCodes: [],
  };
  readonly #messages = new Map<string, ReportedMessage>();
  readonly #rowIndexes = new Map<string, number>();

  get isEmpty(): boolean {
    return this.columns.positions.length === 0;
  }

  /** The message that rows are about, and who reported about it. */
  about(messageId: string): { message: PricedMessage; carrierName: string } | undefined {
    const entry = this.#messages.get(messageId);
    if (entry === undefined) return undefined;
    const { carrierName, ownPricesMilli } = entry;
    const { userId, holdId, priceMilli } = entry.message;
    return { message: { userId, messageId, holdId, priceMilli, ownPricesMilli }, carrierName };
  }

  addHandover({ batch, carrier, position, deliveredParts, allParts, failure }: Handover): void {
    const message = priced(batch.message, batch.priceMilliOf(position - batch.firstPosition));
    const index = this.#rowOf(message, position, carrier.facts.name, allParts);
    this.columns.deliveredParts[index] = deliveredParts;
    this.columns.failures[index] = failure?.state ?? 0;
    this.columns.errorCodes[index] = failure?.errorCode ?? null;
  }

  addFound({ state, errorCode }: CarrierReport, delivery: FoundDelivery, carrierName: string): void {
    if (state === "waiting" || state === "lost") return;
    const index = this.#rowOf(delivery, delivery.position, carrierName, 2 ** delivery.partCount - 1);
    if (state === "delivered")
      this.columns.deliveredParts[index] = (this.columns.deliveredParts[index] ?? 0) | (1 << delivery.partIndex);
    else if (this.columns.failures[index] === 0) {
      this.columns.failures[index] = deliveryStates[state];
      this.columns.errorCodes[index] = errorCode;
    }
  }

  #rowOf(message: PricedMessage, position: number, carrierName: string, allParts: number): number {
    const { number, ownPricesMilli, message: first } = this.#entryOf(message, carrierName);
    if (message.priceMilli !== first.priceMilli) ownPricesMilli.set(position, message.priceMilli);
    const key = `${number}:${position}`;
    let index = this.#rowIndexes.get(key);
    if (index === undefined) {
      index = this.columns.positions.length;
      this.#rowIndexes.set(key, index);
      this.columns.messageNumbers.push(number);
      this.columns.positions.push(position);
      this.columns.deliveredParts.push(0);
      this.columns.allParts.push(allParts);
      this.columns.failures.push(0);
      this.columns.errorCodes.push(null);
    }
    return index;
  }

  #entryOf(message: PricedMessage, carrierName: string): ReportedMessage {
    let entry = this.#messages.get(message.messageId);
    if (entry === undefined) {
      const number = this.columns.messageIds.push(message.messageId);
      this.columns.userIds.push(message.userId);
      entry = { number, message, carrierName, ownPricesMilli: new Map() };
      this.#messages.set(message.messageId, entry);
    }
    return entry;
  }
}
