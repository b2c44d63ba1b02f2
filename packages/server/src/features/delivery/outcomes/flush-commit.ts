import type { Tx } from "../../../db/transaction.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { UnmatchedReport } from "../engine/outbox.ts";
import { Handover } from "../engine/in-flight.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { batchStates, deliveryStateName, deliveryStates } from "../states.ts";
import { applyOutcomes, type Outcome, type PricedMessage } from "./apply-outcomes.ts";
import { insertEarlyReports } from "./early-report-store.ts";
import type { FlushPlan } from "./flush-plan.ts";
import {
  findByKeys,
  insertParts,
  insertUnknown,
  LEAVE,
  markFlush,
  recordOutcomes,
  recordReports,
  type FencedBatch,
  type FoundDelivery,
  type ReportColumns,
} from "./flush-store.ts";
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
  await settings.mark.assertOurs(tx);
  const fenced =
    plan.batches.length === 0
      ? []
      : await recordOutcomes(tx, settings.workerId, plan.batchColumns(), plan.outcomeColumns());
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
  await markFlush(tx, { workerId: settings.workerId, flushNumber });
  return { fenced, waiting, changed };
}

/** Recipients of one batch that fared alike are one outcome. */
function outcomesOfAnswers(plan: FlushPlan, fencedIndexes: ReadonlySet<number>): Outcome[] {
  const byBatch: AnswerOutcome[][] = plan.batches.map(() => []);
  for (const { recipient, answer, state, batchIndex } of plan.outcomes) {
    if (!fencedIndexes.has(batchIndex)) continue;
    const { batch, offset } = recipient;
    const to = deliveryStateName(state);
    const units = unitsOf(answer.kind);
    const carrierName = recipient instanceof Handover ? recipient.carrier.facts.name : undefined;
    const alike = byBatch[batchIndex] ?? [];
    let outcome = alike.find((other) => other.to === to && other.units === units && other.carrierName === carrierName);
    if (outcome === undefined) {
      outcome = {
        message: batch.message,
        from: "waiting",
        to,
        count: 0,
        units,
        carrierName,
        positions: [],
        phoneNos: [],
      };
      alike.push(outcome);
    }
    outcome.count += 1;
    if (to !== "failed" && to !== "dnd") continue;
    outcome.positions.push(batch.firstPosition + offset);
    outcome.phoneNos.push(batch.phoneNos[offset] ?? 0);
  }
  return byBatch.flat();
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

/** Writes what reports say to the deliveries. @returns what became of those that they moved. */
async function writeReports(
  tx: Tx,
  plan: FlushPlan,
  found: ReadonlyMap<UnmatchedReport, FoundDelivery>,
): Promise<Outcome[]> {
  const { columns, messages, carrierNames } = gatherReports(plan, found);
  if (columns.positions.length === 0) return [];
  const moved = await recordReports(tx, columns);
  return moved.flatMap(({ messageId, state, count, positions, phoneNos }): Outcome[] => {
    const message = messages.get(messageId);
    if (message === undefined) return [];
    const carrierName = carrierNames.get(messageId);
    const to = deliveryStateName(state);
    return [{ message, from: "sent", to, count, units: "settled", carrierName, positions, phoneNos }];
  });
}

type GatheredReports = {
  columns: ReportColumns;
  messages: Map<string, PricedMessage>;
  /** Who reported about a message. */
  carrierNames: Map<string, string>;
};

/** One row for each delivery: an update takes only one of two rows about the same one. */
function gatherReports(plan: FlushPlan, found: ReadonlyMap<UnmatchedReport, FoundDelivery>): GatheredReports {
  const columns = plan.reportColumns();
  const messages = new Map<string, PricedMessage>();
  const carrierNames = new Map<string, string>();
  for (const { batch, carrier } of plan.reported) {
    messages.set(batch.message.messageId, batch.message);
    carrierNames.set(batch.message.messageId, carrier.facts.name);
  }
  if (found.size === 0) return { columns, messages, carrierNames };
  const rowIndexes = new Map(
    plan.reported.map((handover, index) => [`${handover.batch.message.messageId}:${handover.position}`, index]),
  );
  for (const [{ report, carrierName }, delivery] of found) {
    if (report.state === "waiting" || report.state === "lost") continue;
    messages.set(delivery.messageId, delivery);
    carrierNames.set(delivery.messageId, carrierName);
    const key = `${delivery.messageId}:${delivery.position}`;
    let index = rowIndexes.get(key);
    if (index === undefined) {
      index = columns.positions.length;
      rowIndexes.set(key, index);
      addReportRow(columns, delivery);
    }
    if (report.state === "delivered")
      columns.deliveredParts[index] = (columns.deliveredParts[index] ?? 0) | (1 << delivery.partIndex);
    else if (columns.failures[index] === 0) {
      columns.failures[index] = deliveryStates[report.state];
      columns.errorCodes[index] = report.errorCode;
    }
  }
  return { columns, messages, carrierNames };
}

function addReportRow(columns: ReportColumns, delivery: FoundDelivery): void {
  columns.userIds.push(delivery.userId);
  columns.messageIds.push(delivery.messageId);
  columns.positions.push(delivery.position);
  columns.deliveredParts.push(0);
  columns.allParts.push(2 ** delivery.partCount - 1);
  columns.failures.push(0);
  columns.errorCodes.push(null);
}
