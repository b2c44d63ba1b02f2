import type { Tx } from "../../../db/transaction.ts";
import { lockAccounts, moveHolds, refundUnits, type HoldMove, type Refund } from "../../../ledger/index.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { insertDndNumbers } from "../dnd/dnd-store.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import { batchStates, deliveryStateName, deliveryStates } from "../states.ts";
import { insertEarlyReports } from "./early-report-store.ts";
import type { FlushPlan } from "./flush-plan.ts";
import {
  findByKeys,
  insertParts,
  insertUnknown,
  LEAVE,
  markFlush,
  moveCounts,
  recordOutcomes,
  recordReports,
  type CountColumn,
  type CountMove,
  type FencedBatch,
  type FoundDelivery,
  type MovedRow,
  type ReportColumns,
} from "./flush-store.ts";
import type { LiveBatch, LiveMessage } from "../engine/live-batch.ts";
import type { StrayReport } from "./outbox.ts";
import type { ReportHorizon } from "./report-horizon.ts";

export type FlushSettings = { workerId: string; isRefundingFailed: boolean; horizon: ReportHorizon; mark: SendMark };

export type FlushResult = {
  fenced: FencedBatch[];
  /** Reports that matched nothing and are not stored either: they wait on. */
  waitingStrays: StrayReport[];
  /** Messages whose counts moved. */
  changed: { userId: string; messageId: string }[];
};

/** A message as the tally needs it: from memory, or from a row that a report was matched with. */
type Priced = Pick<LiveMessage, "userId" | "messageId" | "priceMilli" | "holdId">;

/** What a flush does to counts and units, added up for each message. */
class Tally {
  readonly #counts = new Map<string, CountMove>();
  readonly #holds = new Map<string, HoldMove>();
  readonly refunds: Refund[] = [];
  /** By the carrier that said so. */
  readonly dndNumbers = new Map<string, number[]>();

  move(message: Priced, from: CountColumn, to: CountColumn, count: number): void {
    let entry = this.#counts.get(message.messageId);
    if (entry === undefined) {
      entry = { userId: message.userId, messageId: message.messageId, moves: {} };
      this.#counts.set(message.messageId, entry);
    }
    entry.moves[from] = (entry.moves[from] ?? 0) - count;
    entry.moves[to] = (entry.moves[to] ?? 0) + count;
  }

  charge(message: Priced, count: number): void {
    const hold = this.#holdOf(message);
    if (hold !== undefined) hold.chargeMilli += message.priceMilli * count;
  }

  release(message: Priced, count: number): void {
    const hold = this.#holdOf(message);
    if (hold !== undefined) hold.releaseMilli += message.priceMilli * count;
  }

  refund(message: Priced, position: number): void {
    if (message.holdId === null) return;
    const { userId, holdId, messageId, priceMilli } = message;
    this.refunds.push({ userId, holdId, reference: `${messageId}:${position}`, amountMilli: priceMilli });
  }

  addDndNumbers(source: string, phoneNos: readonly number[]): void {
    this.dndNumbers.set(source, [...(this.dndNumbers.get(source) ?? []), ...phoneNos]);
  }

  get counts(): CountMove[] {
    return [...this.#counts.values()];
  }

  get holds(): HoldMove[] {
    return [...this.#holds.values()];
  }

  #holdOf({ userId, messageId, holdId }: Priced): HoldMove | undefined {
    if (holdId === null) return undefined;
    let hold = this.#holds.get(messageId);
    if (hold === undefined) {
      hold = { userId, holdId, chargeMilli: 0, releaseMilli: 0 };
      this.#holds.set(messageId, hold);
    }
    return hold;
  }
}

/**
 * Writes a flush. Locks in the order that everybody keeps: batches, deliveries, counts, accounts and holds.
 *
 * @throws TimeWentBackError when the database is an older one: the worker's life is about to end.
 * @param flushNumber by which the worker learns what became of a COMMIT that was not answered.
 */
export async function commitFlush(
  tx: Tx,
  plan: FlushPlan,
  settings: FlushSettings,
  flushNumber: number,
): Promise<FlushResult> {
  await settings.mark.assertOurs(tx);
  const tally = new Tally();
  const fenced =
    plan.batches.length === 0
      ? []
      : await recordOutcomes(tx, settings.workerId, plan.batchColumns(), plan.outcomeColumns());
  const fencedPlaces = new Set(fenced.map(({ place }) => place));
  await writeParts(tx, plan, fencedPlaces);
  tallyOutcomes(plan, fencedPlaces, settings, tally);
  tallyCancelled(plan, fenced, tally);

  const found = await findStrays(tx, plan.strays, settings.horizon);
  const waitingStrays = await storeStrays(tx, plan.strays, found);
  const { columns, messages, carrierNames } = gatherReports(plan, found);
  if (columns.positions.length > 0) {
    for (const row of await recordReports(tx, columns)) tallyReported(row, messages, carrierNames, settings, tally);
  }

  for (const [source, phoneNos] of tally.dndNumbers) await insertDndNumbers(tx, { phoneNos, source });
  await moveCounts(tx, tally.counts);
  // Each of the two locks its own customers in order; one after the other they would not be in order together.
  if (tally.refunds.length > 0)
    await lockAccounts(
      tx,
      [...tally.holds, ...tally.refunds].map(({ userId }) => userId),
    );
  await moveHolds(tx, tally.holds);
  await refundUnits(tx, tally.refunds);
  await markFlush(tx, { workerId: settings.workerId, flushNumber });
  return { fenced, waitingStrays, changed: tally.counts };
}

async function writeParts(tx: Tx, plan: FlushPlan, fencedPlaces: ReadonlySet<number>): Promise<void> {
  const isFenced = (place: number): boolean => fencedPlaces.has(place);
  const parts = plan.partColumns(isFenced);
  if (parts.keys.length > 0) await insertParts(tx, parts);
  const unknown = plan.unknownColumns(isFenced);
  if (unknown.positions.length > 0) await insertUnknown(tx, unknown, deliveryTimesMs.unknownRelease);
}

function tallyOutcomes(
  plan: FlushPlan,
  fencedPlaces: ReadonlySet<number>,
  settings: FlushSettings,
  tally: Tally,
): void {
  for (const [index, { recipient, answer, state }] of plan.outcomes.entries()) {
    if (!fencedPlaces.has(plan.places[index] ?? -1)) continue;
    const { batch, offset } = recipient;
    tally.move(batch.message, "waiting", deliveryStateName(state), 1);
    if (answer.kind === "refused") tally.release(batch.message, 1);
    if (answer.kind !== "accepted") continue;
    tally.charge(batch.message, 1);
    const isFailed = state === deliveryStates.failed || state === deliveryStates.dnd;
    if (isFailed && settings.isRefundingFailed) tally.refund(batch.message, batch.firstPosition + offset);
    if (state === deliveryStates.dnd) tally.addDndNumbers(carrierNameOf(plan, index), [batch.phoneNos[offset] ?? 0]);
  }
}

function carrierNameOf(plan: FlushPlan, index: number): string {
  const recipient = plan.outcomes[index]?.recipient;
  return recipient !== undefined && "carrier" in recipient ? recipient.carrier.facts.name : "carrier";
}

/** What a customer cancelled while a worker had it: the rest of the batch ends here, and its units come back. */
function tallyCancelled(plan: FlushPlan, fenced: readonly FencedBatch[], tally: Tally): void {
  for (const { place, state } of fenced) {
    if (plan.leaves[place] !== LEAVE.givenBack || state !== batchStates.cancelled) continue;
    const batch = plan.batches[place];
    if (batch === undefined) continue;
    const restCount = batch.openCount - countPlanned(plan, batch);
    tally.move(batch.message, "waiting", "cancelled", restCount);
    tally.release(batch.message, restCount);
  }
}

function countPlanned(plan: FlushPlan, batch: LiveBatch): number {
  return plan.outcomes.reduce((count, { recipient }) => count + (recipient.batch === batch ? 1 : 0), 0);
}

async function findStrays(
  tx: Tx,
  strays: readonly StrayReport[],
  horizon: ReportHorizon,
): Promise<Map<StrayReport, FoundDelivery>> {
  const named = strays.filter(({ report }) => report.key !== "");
  const found = new Map<StrayReport, FoundDelivery>();
  if (named.length === 0) return found;
  const rows = await findByKeys(tx, {
    keys: named.map(({ report }) => report.key),
    carrierIds: named.map(({ carrierId }) => carrierId),
    oldestMessageId: horizon.oldestMessageId,
  });
  for (const row of rows) {
    const stray = named[row.place];
    if (stray !== undefined) found.set(stray, row);
  }
  return found;
}

/** Stores the strays that have waited long enough in memory. @returns those that wait on. */
async function storeStrays(
  tx: Tx,
  strays: readonly StrayReport[],
  found: ReadonlyMap<StrayReport, FoundDelivery>,
): Promise<StrayReport[]> {
  const oldestMs = performance.now() - deliveryTimesMs.earlyInMemory;
  const unmatched = strays.filter((stray) => !found.has(stray));
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

type GatheredReports = {
  columns: ReportColumns;
  messages: Map<string, Priced>;
  /** Who reported about a message; for the do-not-disturb list's source. */
  carrierNames: Map<string, string>;
};

/** One row for each delivery: an update takes only one of two rows about the same one. */
function gatherReports(plan: FlushPlan, found: ReadonlyMap<StrayReport, FoundDelivery>): GatheredReports {
  const columns = plan.reportColumns();
  const messages = new Map<string, Priced>();
  const carrierNames = new Map<string, string>();
  for (const { batch, carrier } of plan.reported) {
    messages.set(batch.message.messageId, batch.message);
    carrierNames.set(batch.message.messageId, carrier.facts.name);
  }
  if (found.size === 0) return { columns, messages, carrierNames };
  const places = new Map(
    plan.reported.map((handover, index) => [`${handover.batch.message.messageId}:${handover.position}`, index]),
  );
  for (const [{ report, carrierName }, row] of found) {
    if (report.state === "waiting" || report.state === "lost") continue;
    messages.set(row.message_id, {
      userId: row.user_id,
      messageId: row.message_id,
      priceMilli: row.price_milli,
      holdId: row.hold_id,
    });
    carrierNames.set(row.message_id, carrierName);
    const key = `${row.message_id}:${row.position}`;
    let place = places.get(key);
    if (place === undefined) {
      place = columns.positions.length;
      places.set(key, place);
      addReportRow(columns, row);
    }
    if (report.state === "delivered")
      columns.deliveredParts[place] = (columns.deliveredParts[place] ?? 0) | (1 << row.part_index);
    else if (columns.failures[place] === 0) {
      columns.failures[place] = deliveryStates[report.state];
      columns.errorCodes[place] = report.errorCode;
    }
  }
  return { columns, messages, carrierNames };
}

function addReportRow(columns: ReportColumns, row: FoundDelivery): void {
  columns.userIds.push(row.user_id);
  columns.messageIds.push(row.message_id);
  columns.positions.push(row.position);
  columns.deliveredParts.push(0);
  columns.allParts.push(2 ** row.part_count - 1);
  columns.failures.push(0);
  columns.errorCodes.push(null);
}

function tallyReported(
  row: MovedRow,
  messages: ReadonlyMap<string, Priced>,
  carrierNames: ReadonlyMap<string, string>,
  settings: FlushSettings,
  tally: Tally,
): void {
  const message = messages.get(row.message_id);
  if (message === undefined) return;
  const state = deliveryStateName(row.state);
  tally.move(message, "sent", state, row.count);
  if (state === "delivered") return;
  if (settings.isRefundingFailed) for (const position of row.positions ?? []) tally.refund(message, position);
  if (state === "dnd") tally.addDndNumbers(carrierNames.get(row.message_id) ?? "carrier", row.phone_nos ?? []);
}
