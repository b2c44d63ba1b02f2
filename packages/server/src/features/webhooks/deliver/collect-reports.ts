/**
 * Makes events of the report feed: `recipients.updated`, with reports of several messages together, and `message.finished`. One worker at a time reads
 * the feed; each customer's reports wait until there are 500 of them, or a second has passed. Customers with few rows come first, and a customer
 * with a stream of reports may be held back while the engine has no processor to spare: `held-streams.ts` says who and for how long.
 */
import { createHash } from "node:crypto";
import { findLikelyNetwork, webhookLimits } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { recordEvent, recordEvents, type EventData } from "../../../outbox/index.ts";
import {
  dropFirstOfRow,
  dropFromFeed,
  getMessage,
  readFeed,
  readFeedCustomers,
  readReferences,
  reasonTexts,
  type FeedCustomer,
  type FeedRow,
} from "../../delivery/index.ts";
import { deleteFinish, insertFinishes, selectFinished } from "./deliver-store.ts";

/** Rows of one look; at a carrier's pace a row has a few reports. */
const ROWS_MAX = 100;
/** Under load a row has some 500 reports, so that as many rows are enough for one look. */
const FULL_ROWS = 10;
/** Of one customer in one look, 1 MB of JSON, and what the last row has beyond. */
const REPORTS_PER_LOOK = 5_000;
/** Who has fewer rows comes first; the rows of a customer are counted so far. */
const FEW_ROWS = 5;
const CUSTOMERS_MAX = 500;
const COLLECT_MS = 1_000;
/** A message is finished when nobody waits; reports that are still to come are waited for so long, so that its counts say more. */
const FINISH_WAIT_SECONDS = 10;
const FINISHES_PER_LOOK = 100;

type Report = EventData["recipients.updated"]["recipients"][number];

/** What one look told of a customer. */
export type ToldCustomer = FeedCustomer & {
  reportCount: number;
  /** More may be told at once. */
  mayHaveMore: boolean;
};

/** Tells what waits, of each customer as much as one look takes. @param isHeld whose reports wait for now. */
export async function collectReports(
  deps: Pick<Deps, "db">,
  isHeld: (customer: FeedCustomer) => boolean = () => false,
): Promise<ToldCustomer[]> {
  return await withTransaction(deps.db, async (tx) => {
    const customers = await readFeedCustomers(tx, "webhooks", { limit: CUSTOMERS_MAX, rowsMax: FEW_ROWS });
    // Who has few rows, and none that has waited for long enough, has no full event either: nothing is read.
    const waiting = customers.filter(({ rowCount, oldestMs }) => oldestMs >= COLLECT_MS || rowCount === FEW_ROWS);
    const told: ToldCustomer[] = [];
    let room = ROWS_MAX;
    // Each group stays in the order of age, so that everybody becomes the first.
    for (const customer of waiting.toSorted((one, other) => one.rowCount - other.rowCount)) {
      if (isHeld(customer)) continue;
      const { rows, mayHaveMore } = await readPiece(tx, customer.userId, room);
      const reportCount = await tellCustomer(tx, customer.userId, rows);
      if (reportCount === undefined) continue;
      told.push({ ...customer, reportCount, mayHaveMore });
      room -= rows.length;
      if (room === 0) break;
    }
    return told;
  });
}

type Piece = { rows: FeedRow[]; mayHaveMore: boolean };

/** The oldest rows of a customer, as many as one look takes. */
async function readPiece(tx: Tx, userId: string, room: number): Promise<Piece> {
  const read = async (limit: number): Promise<Piece> => {
    const found = await readFeed(tx, "webhooks", limit, userId);
    const rows: FeedRow[] = [];
    for (let count = 0, row = found[0]; row !== undefined && count < REPORTS_PER_LOOK; row = found[rows.length]) {
      rows.push(row);
      count += row.recipients.length;
    }
    return { rows, mayHaveMore: found.length === limit || rows.length < found.length };
  };
  const few = await read(Math.min(FULL_ROWS, room));
  const reportCount = few.rows.reduce((sum, { recipients }) => sum + recipients.length, 0);
  // Rows of a few reports each: a full event takes more of them.
  return few.mayHaveMore && reportCount < REPORTS_PER_LOOK ? await read(room) : few;
}

/** @returns how many reports were told; nothing when all of them wait for more. */
async function tellCustomer(tx: Tx, userId: string, rows: readonly FeedRow[]): Promise<number | undefined> {
  let told: number | undefined;
  // An event is live or a test as a whole, so tests are collected for themselves.
  for (const own of Map.groupBy(rows, ({ isTest }) => isTest).values()) {
    const { whole, part } = takeReady(own);
    if (whole.length === 0 && part === undefined) continue;
    const read = [...whole, ...(part === undefined ? [] : [part.row])];
    told = read.reduce((sum, { recipients }) => sum + recipients.length, told ?? 0);
    await tellReports(tx, userId, read);
    await dropFromFeed(tx, "webhooks", whole);
    if (part !== undefined)
      await dropFirstOfRow(tx, "webhooks", { userId, feedId: part.row.feedId, count: part.count });
    const ended = whole.flatMap(({ endsBatch, messageId }) => (endsBatch ? [messageId] : []));
    if (ended.length > 0) await insertFinishes(tx, userId, [...new Set(ended)], FINISH_WAIT_SECONDS);
  }
  return told;
}

type Ready = { whole: FeedRow[]; part: { row: FeedRow; count: number } | undefined };

/** What of a customer's rows is told now: all that has waited for long enough, and full events, cutting the last row where one ends. */
function takeReady(rows: readonly FeedRow[]): Ready {
  const total = rows.reduce((sum, { recipients }) => sum + recipients.length, 0);
  let rest = total - (total % webhookLimits.reportsPerEventMax);
  const whole: FeedRow[] = [];
  for (const row of rows) {
    const { length } = row.recipients;
    if (length > rest && row.ageMs < COLLECT_MS) {
      if (rest === 0) break;
      return { whole, part: { row: { ...row, recipients: row.recipients.slice(0, rest) }, count: rest } };
    }
    whole.push(row);
    rest = Math.max(0, rest - length);
  }
  return { whole, part: undefined };
}

/** @param rows all of one mode. */
async function tellReports(tx: Tx, userId: string, rows: readonly FeedRow[]): Promise<void> {
  const reports: Report[] = [];
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId);
  const references = new Map<string, (position: number) => string | undefined>();
  for (const [messageId, own] of byMessage) {
    const positions = own.flatMap(({ recipients }) => recipients.map(({ position }) => position));
    references.set(messageId, await readReferences(tx, { userId, messageId }, positions));
  }
  for (const { messageId, state, happenedAt, recipients } of rows) {
    const updatedAt = happenedAt.toISOString();
    const referenceOf = references.get(messageId);
    for (const { position, phoneNo, errorCode } of recipients) {
      const number = String(phoneNo);
      const reference = referenceOf?.(position);
      reports.push({
        messageId,
        phoneNo: number,
        state,
        network: findLikelyNetwork(number)?.name ?? "",
        reason: state === "expired" || state === "cancelled" ? "" : reasonTexts(errorCode, state).reason,
        ...(reference !== undefined && { reference }),
        updatedAt,
      });
    }
  }
  const data: EventData["recipients.updated"][] = [];
  for (let first = 0; first < reports.length; first += webhookLimits.reportsPerEventMax)
    data.push({ recipients: reports.slice(first, first + webhookLimits.reportsPerEventMax) });
  await recordEvents(tx, {
    userId,
    type: "recipients.updated",
    data,
    mode: rows[0]?.isTest === true ? "test" : "live",
  });
}

/** Tells of messages that have finished, each once. */
export async function tellFinished({ db }: Pick<Deps, "db">): Promise<void> {
  for (const key of await selectFinished(db, FINISHES_PER_LOOK))
    await withTransaction(db, async (tx) => {
      if (!(await deleteFinish(tx, key))) return;
      const { userId, messageId } = key;
      const { counts, reference, mode } = await getMessage(tx, key, "administrator");
      await recordEvent(tx, {
        userId,
        type: "message.finished",
        data: { messageId, ...(reference !== undefined && { reference }), counts },
        mode,
        // Of a message that ends a second time (a batch that was thought lost) the first event stands.
        eventId: finishedEventId(messageId),
      });
    });
}

function finishedEventId(messageId: string): string {
  const bytes = createHash("sha256").update(`message.finished ${messageId}`).digest().subarray(0, 16);
  // RFC 9562: version 8, whose bits are ours to choose.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
