import type { Db } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { PossibleText } from "../carriers/carrier.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { deliveryStateName, deliveryStates } from "../states.ts";
import { applyOutcomes, type Outcome } from "./apply-outcomes.ts";
import {
  deleteEarlyReports,
  hasDirtyBatches,
  hasDueEarlyReports,
  hasReleasable,
  lockDueEarlyReports,
  postponeEarlyReports,
  takeReleasable,
  takeUnknownFor,
  updateSettled,
  type SettledColumns,
  type StoredReport,
  type TakenUnknown,
} from "./early-report-store.ts";
import { countColumnOf } from "./flush-store.ts";
import { findByKeys, recordReports, type FoundDelivery, type ReportColumns } from "./report-store.ts";
import type { ReportHorizon } from "./report-horizon.ts";

const EARLY_REPORTS_MAX = 500;
const RELEASES_MAX = 1_000;

export type SettleSettings = {
  isRefundingFailed: boolean;
  horizon: ReportHorizon;
  /** Takes, in the same transaction, what was no report after all, and may be a text to a number of ours. */
  keepTexts?: (tx: Tx, texts: readonly ReceivedText[]) => Promise<void>;
};
export type ReceivedText = PossibleText & { carrierId: number; receivedAt: Date };
export type SettleResult = {
  triedCount: number;
  changed: { userId: string; messageId: string }[];
  droppedCount: number;
};

/**
 * Tries stored reports again: by the carrier's id, and after that as the report of a delivery whose answer was lost. A
 * report that is about nothing of ours is dropped in the end, unless recipients may still turn out to be unknown.
 */
export async function settleEarlyReports(db: Db, settings: SettleSettings): Promise<SettleResult> {
  if (!(await hasDueEarlyReports(db))) return { triedCount: 0, changed: [], droppedCount: 0 };
  return withTransaction(
    db,
    async (tx) => {
      const due = await lockDueEarlyReports(tx, EARLY_REPORTS_MAX);
      if (due.length === 0) return { triedCount: 0, changed: [], droppedCount: 0 };
      const found = await findDue(tx, due, settings.horizon);
      const unknown = await takeUnknown(
        tx,
        due.filter(({ reportId }) => !found.has(reportId)),
      );
      // All deliveries first, then what follows from them, for both kinds at once: the order of locks that everybody keeps.
      const outcomes = [...(await writeFound(tx, due, found)), ...(await writeSettled(tx, due, unknown))];
      const used = new Set([...found.keys(), ...unknown.map(({ reportId }) => reportId)]);
      const dropped = await keepOrDrop(
        tx,
        due.filter(({ reportId }) => !used.has(reportId)),
        [...used],
      );
      const changed = await applyOutcomes(tx, outcomes, settings);
      const texts = dropped.flatMap(({ possibleText, carrierId, receivedAt }) =>
        possibleText === null ? [] : [{ ...possibleText, carrierId, receivedAt }],
      );
      if (texts.length > 0) await settings.keepTexts?.(tx, texts);
      return { triedCount: due.length, changed, droppedCount: dropped.length };
    },
    { repeatable: true },
  );
}

async function findDue(
  tx: Tx,
  due: readonly StoredReport[],
  horizon: ReportHorizon,
): Promise<Map<number, FoundDelivery>> {
  const named = due.filter(({ key }) => key !== "");
  const rows = await findByKeys(tx, {
    keys: named.map(({ key }) => key),
    carrierIds: named.map(({ carrierId }) => carrierId),
    oldestMessageId: horizon.oldestMessageId,
  });
  return new Map(rows.map((row) => [named[row.keyIndex]?.reportId ?? 0, row]));
}

async function takeUnknown(tx: Tx, reports: readonly StoredReport[]): Promise<TakenUnknown[]> {
  const asked = reports.flatMap(({ reportId, phoneNo, senderName, receivedAt }) =>
    phoneNo === null ? [] : [{ reportId, phoneNo, senderName, receivedAt }],
  );
  return asked.length === 0 ? [] : takeUnknownFor(tx, asked);
}

/** One at a time: stored reports are few, and two of them may be about the same delivery. */
async function writeFound(
  tx: Tx,
  due: readonly StoredReport[],
  found: ReadonlyMap<number, FoundDelivery>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const report of due) {
    const delivery = found.get(report.reportId);
    if (delivery === undefined || !isFinal(report.state)) continue;
    const { carrierName } = report;
    for (const { state, count, positions, phoneNos, errorCodes } of await recordReports(
      tx,
      toColumns(report, delivery),
    )) {
      const to = countColumnOf(deliveryStateName(state));
      outcomes.push({
        ...sourceOf(carrierName),
        message: delivery,
        from: "sent",
        to,
        count,
        units: "settled",
        positions,
        phoneNos,
        errorCodes,
      });
    }
  }
  return outcomes;
}

function sourceOf(carrierName: string | null): Pick<Outcome, "carrierName"> {
  return carrierName === null ? {} : { carrierName };
}

type FinalState = "delivered" | "failed" | "dnd";

function isFinal(state: string): state is FinalState {
  return state === "delivered" || state === "failed" || state === "dnd";
}

function toColumns(report: StoredReport, delivery: FoundDelivery): ReportColumns {
  const isDelivered = report.state === "delivered";
  return {
    userIds: [delivery.userId],
    messageIds: [delivery.messageId],
    areFollowed: [delivery.followers !== 0],
    messageNumbers: [1],
    positions: [delivery.position],
    deliveredParts: [isDelivered ? 1 << delivery.partIndex : 0],
    allParts: [2 ** delivery.partCount - 1],
    failures: [isDelivered || !isFinal(report.state) ? 0 : deliveryStates[report.state]],
    errorCodes: [isDelivered ? null : report.errorCode],
  };
}

/** Any report proves that the carrier has the message: it is charged, like one whose answer came. */
async function writeSettled(
  tx: Tx,
  due: readonly StoredReport[],
  unknown: readonly TakenUnknown[],
): Promise<Outcome[]> {
  if (unknown.length === 0) return [];
  const reports = new Map(due.map((report) => [report.reportId, report]));
  const columns: SettledColumns = {
    userIds: [],
    messageIds: [],
    positions: [],
    states: [],
    keys: [],
    carrierIds: [],
    errorCodes: [],
  };
  const outcomes: Outcome[] = [];
  for (const delivery of unknown) {
    const report = reports.get(delivery.reportId);
    if (report === undefined) continue;
    const { userId, messageId, position, phoneNo } = delivery;
    const to = isFinal(report.state) ? report.state : "sent";
    columns.userIds.push(userId);
    columns.messageIds.push(messageId);
    columns.positions.push(position);
    columns.states.push(deliveryStates[to]);
    columns.keys.push(report.key === "" ? null : report.key);
    columns.carrierIds.push(report.carrierId);
    const errorCode = to === "failed" || to === "dnd" ? report.errorCode : null;
    columns.errorCodes.push(errorCode);
    outcomes.push({
      ...sourceOf(report.carrierName),
      message: delivery,
      from: "unknown",
      to,
      count: 1,
      units: "charge",
      positions: [position],
      phoneNos: [phoneNo],
      errorCodes: [errorCode],
    });
  }
  await updateSettled(tx, columns);
  return outcomes;
}

/** @returns those that were dropped. */
async function keepOrDrop(
  tx: Tx,
  unmatched: readonly StoredReport[],
  usedIds: readonly number[],
): Promise<StoredReport[]> {
  const later: { reportId: number; afterMs: number }[] = [];
  const dropped: StoredReport[] = [];
  const isOver = unmatched.some(({ ageMs }) => nextPause(ageMs) === undefined);
  const mayBecomeUnknown = isOver && (await hasDirtyBatches(tx));
  for (const report of unmatched) {
    const { reportId, ageMs } = report;
    const isKept = mayBecomeUnknown && ageMs < deliveryTimesMs.reportAge;
    const afterMs = nextPause(ageMs) ?? (isKept ? deliveryTimesMs.earlyRetries.at(-1) : undefined);
    if (afterMs === undefined) dropped.push(report);
    else later.push({ reportId, afterMs });
  }
  if (later.length > 0) await postponeEarlyReports(tx, later);
  await deleteEarlyReports(tx, [...usedIds, ...dropped.map(({ reportId }) => reportId)]);
  return dropped;
}

/** @returns the pause that follows at this age, or undefined when all are over. */
function nextPause(ageMs: number): number | undefined {
  let sum = 0;
  for (const pause of deliveryTimesMs.earlyRetries) {
    sum += pause;
    if (sum > ageMs) return pause;
  }
  return undefined;
}

/** Gives back the units of deliveries whose answer was lost and about which no carrier will report any more. */
export async function releaseUnknown(db: Db): Promise<number> {
  if (!(await hasReleasable(db))) return 0;
  return withTransaction(
    db,
    async (tx) => {
      const taken = await takeReleasable(tx, RELEASES_MAX);
      const outcomes = taken.map((message): Outcome => ({
        message,
        from: "unknown",
        to: "unknown",
        count: 1,
        units: "release",
      }));
      await applyOutcomes(tx, outcomes, { isRefundingFailed: false });
      return taken.length;
    },
    { repeatable: true },
  );
}
