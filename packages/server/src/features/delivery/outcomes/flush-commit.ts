import type { Tx } from "../../../db/transaction.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { CarrierReport } from "../carriers/carrier.ts";
import type { UnmatchedReport } from "../engine/outbox.ts";
import { Handover } from "../engine/in-flight.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { batchStates, deliveryStateName, deliveryStates } from "../states.ts";
import { applyOutcomes, type Outcome, type PricedMessage } from "./apply-outcomes.ts";
import { insertEarlyReports } from "./early-report-store.ts";
import type { FlushPlan } from "./flush-plan.ts";
import { insertParts, insertUnknown, LEAVE, markFlush, recordOutcomes, type FencedBatch } from "./flush-store.ts";
import { findByKeys, recordDelivered, recordReports, type FoundDelivery, type ReportColumns } from "./report-store.ts";
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
 * Writes a flush: batches and deliveries here, in this order, and the rest by `applyOutcomes`.
 *
 * @throws TimeWentBackError when the database is an older one: the worker session is about to end.
 * @param flushNumber by which the worker learns what became of a COMMIT that was not answered.
 */
export async function commitFlush(
  tx: Tx,
  plan: FlushPlan,
  settings: FlushSettings,
  flushNumber: number,
): Promise<FlushResult> {
  const flush = { workerId: settings.workerId, flushNumber };
  const hasBatches = plan.batches.length > 0;
  const fenced = hasBatches
    ? await recordOutcomes(tx, flush, settings.mark.known, {
        batches: plan.batchColumns(),
        outcomes: plan.outcomeColumns(),
      })
    : [];
  if (fenced.length === 0) await settings.mark.assertOurs(tx);
  const fencedIndexes = new Set(fenced.map(({ batchIndex }) => batchIndex));
  const parts = plan.partColumns(fencedIndexes);
  if (parts.keys.length > 0) await insertParts(tx, parts);
  const unknown = plan.unknownColumns(fencedIndexes);
  if (unknown.positions.length > 0) await insertUnknown(tx, unknown, deliveryTimesMs.unknownRelease);

  const found = await findUnmatched(tx, plan.unmatched, settings.horizon);
  const waiting = await storeUnmatched(tx, plan.unmatched, found);
  const reported = await writeReports(tx, plan, found);

  const outcomes = [...outcomesOfAnswers(plan, fencedIndexes), ...outcomesOfCancelled(plan, fenced), ...reported];
  const changed = await applyOutcomes(tx, outcomes, settings);
  if (!hasBatches) await markFlush(tx, flush);
  return { fenced, waiting, changed };
}

/** Recipients of one message that fared alike, one after the other, are one outcome. */
function outcomesOfAnswers(plan: FlushPlan, fencedIndexes: ReadonlySet<number>): Outcome[] {
  const outcomes: AnswerOutcome[] = [];
  let last: AnswerOutcome | undefined;
  for (const { recipient, answer, state, batchIndex } of plan.outcomes) {
    if (!fencedIndexes.has(batchIndex)) continue;
    const { batch, offset } = recipient;
    const { message } = batch;
    const to = deliveryStateName(state);
    const units = unitsOf(answer.kind);
    const carrierName = recipient instanceof Handover ? recipient.carrier.facts.name : undefined;
    if (last?.message !== message || last.to !== to || last.units !== units || last.carrierName !== carrierName) {
      last = { message, from: "waiting", to, count: 0, units, carrierName, positions: [], phoneNos: [] };
      outcomes.push(last);
    }
    last.count += 1;
    if (to !== "failed" && to !== "dnd") continue;
    last.positions.push(batch.firstPosition + offset);
    last.phoneNos.push(batch.phoneNos[offset] ?? 0);
  }
  return outcomes;
}

type AnswerOutcome = Outcome & { positions: number[]; phoneNos: number[] };

/** Units of a recipient whose answer was lost stay held. */
function unitsOf(kind: "accepted" | "refused" | "unknown"): Outcome["units"] {
  if (kind === "accepted") return "charge";
  return kind === "refused" ? "release" : "settled";
}

/** What a customer cancelled while a worker had it: the rest of the batch ends here, and its units come back. */
function outcomesOfCancelled(plan: FlushPlan, fenced: readonly FencedBatch[]): Outcome[] {
  return fenced.flatMap(({ batchIndex, state }): Outcome[] => {
    const planned = plan.batches[batchIndex];
    if (planned?.leave !== LEAVE.givenBack || state !== batchStates.cancelled) return [];
    const { batch, restCount } = planned;
    return [{ message: batch.message, from: "waiting", to: "cancelled", count: restCount, units: "release" }];
  });
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
  plan: FlushPlan,
  found: ReadonlyMap<UnmatchedReport, FoundDelivery>,
): Promise<Outcome[]> {
  const reports = new ReportRows();
  const outcomes: Outcome[] = [];
  for (const { message, carrierName, delivered, others } of groupByMessage(plan.reported)) {
    if (delivered.length < DELIVERED_ALONE_MIN) others.push(...delivered);
    else {
      const positions = delivered.map(({ position }) => position);
      const count = await recordDelivered(tx, { userId: message.userId, messageId: message.messageId, positions });
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
      to: deliveryStateName(state),
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
  readonly #messages = new Map<string, { number: number; message: PricedMessage; carrierName: string }>();
  readonly #rowIndexes = new Map<string, number>();

  get isEmpty(): boolean {
    return this.columns.positions.length === 0;
  }

  /** The message that rows are about, and who reported about it. */
  about(messageId: string): { message: PricedMessage; carrierName: string } | undefined {
    const entry = this.#messages.get(messageId);
    return entry && { message: entry.message, carrierName: entry.carrierName };
  }

  addHandover({ batch, carrier, position, deliveredParts, allParts, failure }: Handover): void {
    const index = this.#rowOf(batch.message, position, carrier.facts.name, allParts);
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
    const number = this.#numberOf(message, carrierName);
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

  #numberOf(message: PricedMessage, carrierName: string): number {
    const known = this.#messages.get(message.messageId);
    if (known !== undefined) return known.number;
    const number = this.columns.messageIds.push(message.messageId);
    this.columns.userIds.push(message.userId);
    this.#messages.set(message.messageId, { number, message, carrierName });
    return number;
  }
}
