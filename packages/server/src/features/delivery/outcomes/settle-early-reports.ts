import type { Db } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { moveHolds, refundUnits } from "../../../ledger/index.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { insertDndNumbers } from "../dnd/dnd-store.ts";
import { deliveryStates } from "../states.ts";
import {
  deleteEarlyReports,
  lockDueEarlyReports,
  postponeEarlyReports,
  takeReleasable,
  takeUnknownFor,
  updateSettled,
  type EarlyRow,
  type LockedUnknown,
  type SettledColumns,
} from "./early-report-store.ts";
import {
  findByKeys,
  moveCounts,
  recordReports,
  type CountMove,
  type FoundDelivery,
  type ReportColumns,
} from "./flush-store.ts";
import type { ReportHorizon } from "./report-horizon.ts";

const EARLY_REPORTS_MAX = 500;
const RELEASES_MAX = 1_000;

export type SettleSettings = { isRefundingFailed: boolean; horizon: ReportHorizon };
export type SettleResult = {
  triedCount: number;
  changed: { userId: string; messageId: string }[];
  droppedCount: number;
};

/**
 * Tries stored reports again: by the carrier's id, and after that as the report of a delivery whose answer was lost. A
 * report that is about nothing of ours is dropped in the end.
 */
export async function settleEarlyReports(db: Db, settings: SettleSettings): Promise<SettleResult> {
  return withTransaction(
    db,
    async (tx) => {
      const due = await lockDueEarlyReports(tx, EARLY_REPORTS_MAX);
      if (due.length === 0) return { triedCount: 0, changed: [], droppedCount: 0 };
      const found = await findDue(tx, due, settings.horizon);
      const rest = due.filter((row) => !found.has(row.report_id));
      const unknown = await takeUnknown(tx, rest);
      const changed = [
        ...(await recordFound(tx, due, found, settings)),
        ...(await recordSettled(tx, due, unknown, settings)),
      ];
      const used = new Set([...found.keys(), ...unknown.map((row) => row.report_id)]);
      const droppedCount = await keepOrDrop(
        tx,
        due.filter((row) => !used.has(row.report_id)),
        [...used],
      );
      return { triedCount: due.length, changed, droppedCount };
    },
    { repeatable: true },
  );
}

async function findDue(tx: Tx, due: readonly EarlyRow[], horizon: ReportHorizon): Promise<Map<number, FoundDelivery>> {
  const named = due.filter((row) => row.carrier_key !== "");
  const rows = await findByKeys(tx, {
    keys: named.map((row) => row.carrier_key),
    carrierIds: named.map((row) => row.carrier_id),
    oldestMessageId: horizon.oldestMessageId,
  });
  return new Map(rows.map((row) => [named[row.place]?.report_id ?? 0, row]));
}

async function takeUnknown(tx: Tx, rows: readonly EarlyRow[]): Promise<LockedUnknown[]> {
  const asked = rows.flatMap((row) =>
    row.phone_no === null
      ? []
      : [{ reportId: row.report_id, phoneNo: row.phone_no, senderName: row.sender_name, receivedAt: row.received_at }],
  );
  return asked.length === 0 ? [] : takeUnknownFor(tx, asked);
}

/** One at a time: stored reports are few, and two of them may be about the same delivery. */
async function recordFound(
  tx: Tx,
  due: readonly EarlyRow[],
  found: ReadonlyMap<number, FoundDelivery>,
  settings: SettleSettings,
): Promise<CountMove[]> {
  const changed: CountMove[] = [];
  for (const report of due) {
    const delivery = found.get(report.report_id);
    if (delivery === undefined || !isFinal(report.state)) continue;
    for (const row of await recordReports(tx, toColumns(report, delivery))) {
      const state = report.state;
      const move = { userId: row.user_id, messageId: row.message_id, moves: { sent: -1, [state]: 1 } };
      changed.push(move);
      await moveCounts(tx, [move]);
      if (state === "dnd") await insertDndNumbers(tx, { phoneNos: row.phone_nos ?? [], source: "carrier" });
      if (state !== "delivered" && settings.isRefundingFailed && delivery.hold_id !== null) {
        await refundUnits(tx, [
          refundOf(row.user_id, delivery.hold_id, row.message_id, delivery.position, delivery.price_milli),
        ]);
      }
    }
  }
  return changed;
}

type FinalState = "delivered" | "failed" | "dnd";

function isFinal(state: string): state is FinalState {
  return state === "delivered" || state === "failed" || state === "dnd";
}

function toColumns(report: EarlyRow, delivery: FoundDelivery): ReportColumns {
  const isDelivered = report.state === "delivered";
  return {
    userIds: [delivery.user_id],
    messageIds: [delivery.message_id],
    positions: [delivery.position],
    deliveredParts: [isDelivered ? 1 << delivery.part_index : 0],
    allParts: [2 ** delivery.part_count - 1],
    failures: [isDelivered || !isFinal(report.state) ? 0 : deliveryStates[report.state]],
    errorCodes: [isDelivered ? null : report.error_code],
  };
}

/** Any report proves that the carrier has the message: it is charged, like one whose answer came. */
async function recordSettled(
  tx: Tx,
  due: readonly EarlyRow[],
  unknown: readonly LockedUnknown[],
  settings: SettleSettings,
): Promise<CountMove[]> {
  if (unknown.length === 0) return [];
  const reports = new Map(due.map((row) => [row.report_id, row]));
  const columns: SettledColumns = {
    userIds: [],
    messageIds: [],
    positions: [],
    states: [],
    keys: [],
    carrierIds: [],
    errorCodes: [],
  };
  const moves = new Map<string, CountMove>();
  for (const row of unknown) {
    const report = reports.get(row.report_id);
    if (report === undefined) continue;
    const state = isFinal(report.state) ? report.state : "sent";
    columns.userIds.push(row.user_id);
    columns.messageIds.push(row.message_id);
    columns.positions.push(row.position);
    columns.states.push(deliveryStates[state]);
    columns.keys.push(report.carrier_key === "" ? null : report.carrier_key);
    columns.carrierIds.push(report.carrier_id);
    columns.errorCodes.push(state === "failed" || state === "dnd" ? report.error_code : null);
    const move = moves.get(row.message_id) ?? { userId: row.user_id, messageId: row.message_id, moves: {} };
    move.moves.unknown = (move.moves.unknown ?? 0) - 1;
    move.moves[state] = (move.moves[state] ?? 0) + 1;
    moves.set(row.message_id, move);
    if (state === "dnd") await insertDndNumbers(tx, { phoneNos: [row.phone_no], source: "carrier" });
  }
  await updateSettled(tx, columns);
  await moveCounts(tx, [...moves.values()]);
  const held = unknown.flatMap((row) => (row.hold_id === null ? [] : [{ ...row, holdId: row.hold_id }]));
  await moveHolds(
    tx,
    held.map((row) => ({ userId: row.user_id, holdId: row.holdId, chargeMilli: row.price_milli, releaseMilli: 0 })),
  );
  if (settings.isRefundingFailed) {
    const failed = held.filter((row) => ["failed", "dnd"].includes(reports.get(row.report_id)?.state ?? ""));
    await refundUnits(
      tx,
      failed.map((row) => refundOf(row.user_id, row.holdId, row.message_id, row.position, row.price_milli)),
    );
  }
  return [...moves.values()];
}

function refundOf(
  userId: string,
  holdId: string,
  messageId: string,
  position: number,
  amountMilli: number,
): Parameters<typeof refundUnits>[1][number] {
  return { userId, holdId, reference: `${messageId}:${position}`, amountMilli };
}

/** @returns how many were dropped. */
async function keepOrDrop(tx: Tx, unmatched: readonly EarlyRow[], usedIds: readonly number[]): Promise<number> {
  const later: { reportId: number; afterMs: number }[] = [];
  const dropped: number[] = [];
  for (const row of unmatched) {
    const afterMs = nextPause(row.age_ms);
    if (afterMs === undefined) dropped.push(row.report_id);
    else later.push({ reportId: row.report_id, afterMs });
  }
  if (later.length > 0) await postponeEarlyReports(tx, later);
  await deleteEarlyReports(tx, [...usedIds, ...dropped]);
  return dropped.length;
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
  return withTransaction(
    db,
    async (tx) => {
      const rows = await takeReleasable(tx, RELEASES_MAX);
      const releases = rows.flatMap((row) =>
        row.hold_id === null
          ? []
          : [{ userId: row.user_id, holdId: row.hold_id, chargeMilli: 0, releaseMilli: row.price_milli }],
      );
      await moveHolds(tx, releases);
      return rows.length;
    },
    { repeatable: true },
  );
}
