import assert from "node:assert/strict";
import { isDistributed } from "../../../db/distribution.ts";
import type { Db } from "../../../db/pool.ts";
import { SQL_STATE, sqlStateOf } from "../../../db/sql-state.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { UnmatchedReport } from "../engine/outbox.ts";
import { Handover, type Answer } from "../engine/in-flight.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { letWait } from "../queue/batch-store.ts";
import { batchStates, deliveryStateName, deliveryStates } from "../states.ts";
import { spreadEntries } from "../feed/followers.ts";
import {
  addUpOutcomes,
  applyOutcomes,
  type FollowedMessage,
  type Outcome,
  type PricedMessage,
} from "./apply-outcomes.ts";
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
} from "./report-store.ts";
import type { ReportHorizon } from "./report-horizon.ts";
import { priced, ReportRows } from "./report-rows.ts";

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
  const { counts, holds, refunds, listed, feed } = addUpOutcomes(
    outcomesOfAnswers(plan, all),
    settings,
    endsOf(plan, all),
  );
  if (refunds.length > 0 || listed.length > 0) return undefined;
  return {
    batches: plan.batchColumns(),
    outcomes: plan.outcomeColumns(),
    parts: plan.partColumns(all),
    counts,
    holds,
    feed: spreadEntries(feed),
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
    else {
      const { userId, messageId, followers } = group.message;
      delivered.push({ userId, messageId, followers, positions: group.delivered.map(({ position }) => position) });
    }
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
  const changed = await applyOutcomes(tx, outcomes, settings, endsOf(plan, fencedIndexes));
  if (!hasBatches && flush !== undefined) await markFlush(tx, flush);
  return { fenced, waiting, changed };
}

/** The followed messages of which a batch leaves for good, each once. */
function endsOf({ batches }: FlushPlan, fencedIndexes: ReadonlySet<number>): FollowedMessage[] {
  const ends = new Set<FollowedMessage>();
  for (const [index, { batch, leave }] of batches.entries())
    if (batch.message.followers !== 0 && leave !== LEAVE.stays && fencedIndexes.has(index)) ends.add(batch.message);
  return [...ends];
}

/** Recipients of one message that fared alike, one after the other, are one outcome. */
function outcomesOfAnswers(plan: FlushPlan, fencedIndexes: ReadonlySet<number>): Outcome[] {
  const outcomes: AnswerOutcome[] = [];
  let last: AnswerOutcome | undefined;
  for (const { recipient, answer, state, batchIndex, errorCode } of plan.outcomes) {
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
        errorCodes: [],
      };
      outcomes.push(last);
    }
    last.count += 1;
    if (to !== "failed" && to !== "dnd" && batch.message.followers === 0) continue;
    last.positions.push(batch.firstPosition + offset);
    last.phoneNos.push(batch.phoneNos[offset] ?? 0);
    last.errorCodes.push(errorCode);
  }
  return outcomes;
}

/** `of` is the message in memory, which its outcomes have in common. */
type AnswerOutcome = Outcome & {
  of: PricedMessage;
  positions: number[];
  phoneNos: number[];
  errorCodes: (string | null)[];
};

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
    return [...restByPrice(planned)].map(([priceMilli, offsets]) => ({
      message: priced(batch.message, priceMilli),
      from: "waiting",
      to: "cancelled",
      count: offsets.length,
      units: "release",
      positions: offsets.map((offset) => batch.firstPosition + offset),
      phoneNos: offsets.map((offset) => batch.phoneNos[offset] ?? 0),
    }));
  });
}

/** The recipients that a batch given back leaves without an answer: those behind its intents, and those to be done again. */
function restByPrice({ batch, intentCount, redo, restCount }: PlannedBatch): Map<number, number[]> {
  const rest = new Map<number, number[]>();
  const add = (offset: number): void => {
    const priceMilli = batch.priceMilliOf(offset);
    const alike = rest.get(priceMilli);
    if (alike === undefined) rest.set(priceMilli, [offset]);
    else alike.push(offset);
  };
  for (let offset = intentCount; offset < batch.phoneNos.length; offset += 1) add(offset);
  for (const offset of redo) add(offset);
  assert.equal(
    batch.phoneNos.length - intentCount + redo.length,
    restCount,
    "a batch that is given back has no recipient in hand",
  );
  return rest;
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
    // Of a followed message each one is to be named.
    if (delivered.length < DELIVERED_ALONE_MIN || message.followers !== 0) others.push(...delivered);
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
  for (const { messageId, state, ...moved } of await recordReports(tx, reports.columns)) {
    const about = reports.about(messageId);
    if (about === undefined) continue;
    outcomes.push({
      ...about,
      from: "sent",
      to: countColumnOf(deliveryStateName(state)),
      ...moved,
      units: "settled",
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
