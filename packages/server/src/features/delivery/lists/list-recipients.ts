import {
  ValueRowList,
  type ListedState,
  type ProgramKeyMode,
  type RecipientState,
  type ValueRows,
} from "@ewebal/contract";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { selectClicks } from "../links/link-store.ts";
import { MergedTexts } from "../merged/merge-values.ts";
import { getMessage, type Message, type Viewer } from "./list-messages.ts";
import { reasonTexts, type ReasonTexts } from "./reasons.ts";
import {
  findMessageReference,
  selectBatchMerges,
  selectBatchNumbers,
  selectNumbersInStates,
  selectRecipients,
  selectRecipientsWithoutRow,
  selectRecipientsWithRow,
  type RecipientRow,
} from "./recipient-store.ts";
import { deliveryStateName, type DeliveryState } from "../states.ts";

export type Recipient = {
  /** Place in the message, from 0, in the order the numbers were given. */
  position: number;
  /** Null when the numbers of its month are no longer kept. */
  phoneNo: number | null;
  state: ListedState;
  updatedAt: Date;
  /** What this recipient gets and pays. */
  text: string;
  pageCount: number;
  /** What the sender calls it. */
  reference: string | undefined;
  /** How often it followed the short links of its text; undefined where the text has none. */
  clicks: number | undefined;
} & ReasonTexts;

/** @returns `next` is the cursor for `after`, null when this page is the last. */
export type RecipientPage = { rows: Recipient[]; next: string | null };

/**
 * The recipients of one message in the order they were given. The cost does not grow with the place in the list; with a
 * `state` that few recipients of a large message have, it grows with the message (about 0.3 s for 1,000,000).
 *
 * @throws AppError `NOT_FOUND` as `getMessage`, `VALIDATION` for a cursor that is none.
 */
export async function listRecipients(
  db: Queryable,
  list: {
    userId: string;
    messageId: string;
    limit: number;
    after?: string | undefined;
    state?: RecipientState | undefined;
    /** Only of a message of this mode. */
    mode?: ProgramKeyMode | undefined;
    viewer?: Viewer;
  },
): Promise<RecipientPage> {
  const message = await getMessage(db, list, list.viewer);
  const { counts } = message;
  const { state } = list;
  const after = readCursor(list.after);
  if (state !== undefined && (counts[state] ?? 0) === 0) return { rows: [], next: null };
  const select = (page: Page) => (state === undefined ? selectRecipients(db, page) : selectByState(db, page, state));
  const { rows, next } = await readPage(
    list.limit,
    (limit) => select({ ...list, after, limit }),
    ({ position }) => String(position),
  );
  const textOf = await readTexts(db, list, message, rows);
  return { rows: rows.map((row) => ({ ...toRecipient(row), ...textOf(row.position) })), next };
}

type OwnText = Pick<Recipient, "text" | "pageCount" | "reference" | "clicks">;

/** What the recipients at these positions get: the message as it was written, or merged from what their batches carry. */
async function readTexts(
  db: Queryable,
  key: { userId: string; messageId: string },
  { body, pageCount, isMerged }: Message,
  rows: readonly RecipientRow[],
): Promise<(position: number) => OwnText> {
  const plain = { text: body, pageCount, reference: undefined, clicks: undefined };
  if (!isMerged) return () => plain;
  const batchIndexes = [...new Set(rows.map(({ position }) => Math.floor(position / size)))];
  const merges = await selectBatchMerges(db, key, batchIndexes);
  const batches = new Map(
    merges.map(({ batchIndex, mergeValues, pageCounts }) => [
      batchIndex,
      { texts: new MergedTexts(mergeValues, body), pageCounts },
    ]),
  );
  const clicks = new Map<number, number>();
  if ([...batches.values()].some(({ texts }) => texts.hasShortLinks))
    for (const own of await selectClicks(
      db,
      key,
      rows.map(({ position }) => position),
    ))
      clicks.set(own.position, own.clicks);
  return (position) => {
    const batch = batches.get(Math.floor(position / size));
    const offset = position % size;
    if (batch === undefined) return plain;
    const { texts, pageCounts } = batch;
    const reference = texts.referenceAt(offset) ?? undefined;
    const text = texts.textAt(offset);
    const own = texts.targetAt(offset, 0) === undefined ? undefined : (clicks.get(position) ?? 0);
    return { text, pageCount: pageCounts[offset] ?? pageCount, reference, clicks: own };
  };
}

const size = deliveryLimits.batchRecipientsMax;

type Page = { userId: string; messageId: string; after: number; limit: number };

async function selectByState(db: Queryable, page: Page, state: RecipientState): Promise<RecipientRow[]> {
  if (state === "waiting" || state === "cancelled" || state === "expired")
    return selectRecipientsWithoutRow(db, { ...page, state });
  if (state !== "dnd" && state !== "optedOut") return selectRecipientsWithRow(db, { ...page, state });
  // Listed before the send (skipped), or found out when its turn came (a row): two lists, each in order.
  const skipped = await selectRecipientsWithoutRow(db, { ...page, state });
  const reported = await selectRecipientsWithRow(db, { ...page, state });
  return [...skipped, ...reported].toSorted((one, other) => one.position - other.position).slice(0, page.limit);
}

function toRecipient(row: RecipientRow): Omit<Recipient, keyof OwnText> {
  const { position, phoneNo, updatedAt } = row;
  const state = stateOf(row);
  return { position, phoneNo, state, ...reasonTexts(reasonCodeOf(row, state), state), updatedAt };
}

function reasonCodeOf(row: RecipientRow, state: ListedState): string | null {
  if (row.isSkipped) return row.isOptedOut ? "opted-out" : "dnd-listed";
  if (state === "expired") return "expired";
  return state === "notKept" ? "not-kept" : row.errorCode;
}

function stateOf(row: RecipientRow): ListedState {
  if (row.isSkipped) return row.isOptedOut ? "optedOut" : "dnd";
  if (row.state !== null) return deliveryStateName(row.state);
  if (row.hadRow) return "notKept";
  if (row.isExpired) return "expired";
  return row.isCancelled ? "cancelled" : "waiting";
}

function readCursor(after: string | undefined): number {
  if (after === undefined) return -1;
  if (!/^[0-9]{1,7}$/.test(after)) throw cursorError();
  return Number(after);
}

export type MessageNumbers = {
  /** In the order they were given, comma-separated; empty for none. */
  phoneNo: string;
  /** What is known of each, and their own texts, when the message is merged. */
  personal: { keys: string[]; rows: ValueRows } | undefined;
};

/** The numbers of a message's recipients in these states. */
export async function readNumbersInStates(
  db: Queryable,
  key: { userId: string; messageId: string; isMerged: boolean },
  states: readonly DeliveryState[],
): Promise<MessageNumbers> {
  const { phoneNos, positions } = await selectNumbersInStates(db, key, states);
  const personal = key.isMerged ? await readPersonal(db, key, positions) : undefined;
  return { phoneNo: phoneNos.join(","), personal };
}

/** What the sender calls recipients: each one's own reference, or else the message's. */
export async function readReferences(
  db: Queryable,
  key: { userId: string; messageId: string },
  positions: readonly number[],
): Promise<(position: number) => string | undefined> {
  const message = await findMessageReference(db, key);
  const whole = message?.reference ?? undefined;
  if (message?.isMerged !== true) return () => whole;
  const batchIndexes = [...new Set(positions.map((position) => Math.floor(position / size)))];
  const merges = await selectBatchMerges(db, key, batchIndexes);
  const batches = new Map(merges.map((merge) => [merge.batchIndex, new MergedTexts(merge.mergeValues, "")]));
  return (position) => batches.get(Math.floor(position / size))?.referenceAt(position % size) ?? whole;
}

/** Batches read at a time: 20,000 recipients. */
const BATCHES_PER_READ = 40;

/** @param positions in order. @returns a row for each of them. */
export async function readPersonal(
  db: Queryable,
  key: { userId: string; messageId: string },
  positions: readonly number[],
): Promise<{ keys: string[]; rows: ValueRows }> {
  const batchIndexes = [...new Set(positions.map((position) => Math.floor(position / size)))];
  const rows = new ValueRowList();
  let keys: readonly string[] = [];
  let index = 0;
  for (let start = 0; start < batchIndexes.length; start += BATCHES_PER_READ) {
    for (const merge of await selectBatchMerges(db, key, batchIndexes.slice(start, start + BATCHES_PER_READ))) {
      const texts = new MergedTexts(merge.mergeValues, "");
      ({ keys } = texts);
      const end = (merge.batchIndex + 1) * size;
      for (; index < positions.length && (positions[index] ?? 0) < end; index += 1)
        rows.set(index, texts.rowAt((positions[index] ?? 0) % size));
    }
  }
  return { keys: [...keys], rows: rows.finish() };
}

/**
 * What the texts of all recipients are made of: first the keys, then in the order they were given a row for each, its number before its
 * values. 20,000 recipients are in memory at a time; those whose numbers are no longer kept are left out.
 */
export async function* readRecipientValues(
  db: Queryable,
  key: { userId: string; messageId: string; isMerged: boolean },
): AsyncGenerator<{ keys: readonly string[] } | { phoneNo: number; values: readonly (string | null)[] }> {
  let hasKeys = false;
  for (let first = 0; ; first += BATCHES_PER_READ) {
    const batches = await selectBatchNumbers(db, key, { first, count: BATCHES_PER_READ });
    for (const { recipients, mergeValues } of batches) {
      const texts = key.isMerged && mergeValues !== null ? new MergedTexts(mergeValues, "") : undefined;
      if (!hasKeys) yield { keys: texts?.keys ?? [] };
      hasKeys = true;
      for (const [offset, phoneNo] of recipients.entries())
        if (phoneNo !== null) yield { phoneNo, values: texts?.rowAt(offset) ?? [] };
    }
    if (batches.length < BATCHES_PER_READ) break;
  }
  if (!hasKeys) yield { keys: [] };
}
