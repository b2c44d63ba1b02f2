/**
 * Makes events of the report feed: `recipients.updated`, with reports of several messages together, and `message.finished`. One worker at a time reads
 * the feed; each customer's reports wait until there are 500 of them, or a second has passed.
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
  readReferences,
  reasonTexts,
  type FeedRow,
} from "../../delivery/index.ts";
import { deleteFinish, insertFinishes, selectFinished } from "./deliver-store.ts";

/** Rows of one look: some 10,000 reports under load, 2 MB of JSON. */
const ROWS_MAX = 100;
const COLLECT_MS = 1_000;
/** A message is finished when nobody waits; reports that are still to come are waited for so long, so that its counts say more. */
const FINISH_WAIT_SECONDS = 10;
const FINISHES_PER_LOOK = 100;

type Report = EventData["recipients.updated"]["recipients"][number];

/** @returns whether there may be more to read at once. */
export async function collectReports(deps: Pick<Deps, "db">): Promise<boolean> {
  return await withTransaction(deps.db, async (tx) => {
    const rows = await readFeed(tx, "webhooks", ROWS_MAX);
    const isFull = rows.length === ROWS_MAX;
    let isMoved = false;
    // An event is live or a test as a whole, so each customer's tests are collected for themselves.
    for (const own of Map.groupBy(rows, ({ userId, isTest }) => `${userId} ${isTest}`).values()) {
      const [{ userId } = { userId: "" }] = own;
      const ready = takeReady(own);
      if (ready.whole.length === 0 && ready.part === undefined) continue;
      isMoved = true;
      const read = [...ready.whole, ...(ready.part === undefined ? [] : [ready.part.row])];
      await tellReports(tx, userId, read);
      await dropFromFeed(tx, "webhooks", ready.whole);
      if (ready.part !== undefined) {
        const { row, count } = ready.part;
        await dropFirstOfRow(tx, "webhooks", { userId, feedId: row.feedId, count });
      }
      const ended = ready.whole.flatMap(({ endsBatch, messageId }) => (endsBatch ? [messageId] : []));
      if (ended.length > 0) await insertFinishes(tx, userId, [...new Set(ended)], FINISH_WAIT_SECONDS);
    }
    return isFull && isMoved;
  });
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
