import assert from "node:assert/strict";
import {
  lagosDate,
  type AnchoredRepeat,
  type HistoryQuery,
  type ListQuery,
  type MessageClass,
  type MessageCounts,
  type MessageState,
  type ProgramKeyMode,
} from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { AppError } from "../../../base/errors.ts";
import { readHoldOutcomes, type HoldOutcome } from "../../../ledger/index.ts";
import {
  selectMessage,
  selectMessages,
  selectMessageStretches,
  selectSearchStep,
  type MessageFilter,
  type MessageRow,
  type MessageSearch,
} from "./message-list-store.ts";
import type { MessageKey } from "../queue/message-store.ts";
import { messageStateName, messageStateNumbers, smallestIdOf } from "../states.ts";

export type Message = {
  messageId: string;
  userId: string;
  userName: string;
  senderName: string;
  body: string;
  code: string;
  /** At most the first 100 numbers, in the order they were given. */
  firstPhoneNos: number[];
  /** How many numbers are listed, those on the do-not-disturb list included. */
  recipientCount: number;
  pageCount: number;
  /** The price of one recipient, in thousandths of a unit. */
  priceMilli: number;
  holdId: string | undefined;
  /** What it cost, what may still be charged, and what came back. */
  units: HoldOutcome;
  state: MessageState;
  /** As the database numbers it. */
  storedState: number;
  /** Of its batches; see `lanes.ts`. */
  lane: number;
  class: MessageClass;
  /** Whether it goes to do-not-disturb numbers, too, where a carrier reaches them. */
  reachesDnd: boolean;
  counts: MessageCounts;
  createdAt: Date;
  sendAt: Date | undefined;
  timeZone: string | undefined;
  /** Who is not handed over by then gets nothing. */
  validUntil: Date | undefined;
  /** Of a scheduled one that is sent again and again. */
  repeat: AnchoredRepeat | undefined;
  /** What the program that sent it calls it. */
  reference: string | undefined;
  /** How it came in; undefined of messages from before that was noted. */
  origin: string | undefined;
  /** The member who sent it; undefined for the account's own user and for keys. */
  sentBy: string | undefined;
  /** In review for an approver of the account. */
  awaitsApproval: boolean;
  /** When the customer deleted it. */
  hiddenAt: Date | undefined;
  mode: ProgramKeyMode;
  /** Whether recipients have texts, or references, of their own. */
  isMerged: boolean;
  /** Whether each text ends in a link by which its recipient opts out. */
  hasOptOutLink: boolean;
};

/** Who looks. A message that its customer deleted is hidden from the customer alone. */
export type Viewer = "customer" | "administrator";

/** @returns `next` is the cursor for `after`, null when this page is the last. */
export type MessagePage = { rows: Message[]; next: string | null };

/** Which messages of the list are wanted. Days are those of Lagos (`YYYY-MM-DD`). */
export type MessageListQuery = ListQuery &
  Partial<Pick<HistoryQuery, "search" | "state" | "sender" | "from" | "to" | "mode">> & {
    /** What `state` leaves out and finds as deferred: lanes that quiet hours close now. */
    closedLanes?: readonly number[];
  };

/** One step of a search looks at this many messages with this many recipients: 0.1 to 0.3 s. */
const SEARCH_STEP = { messagesMax: 20_000, recipientsMax: 2_000_000 };
/** After this many steps the page ends, found or not, with a cursor to go on from: 1 to 2 s. */
const SEARCH_STEPS_MAX = 5;
const DAY_MS = 24 * 3_600_000;

/**
 * A customer's messages, newest first; hidden ones are for administrators alone. A page of a search may hold fewer than `limit`, even none;
 * `next` says whether there is more to look at.
 *
 * @param list isScheduled lists what is not due yet instead of what was sent.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listMessages(
  db: Queryable,
  list: { userId: string; query: MessageListQuery; isScheduled?: boolean; viewer?: Viewer },
): Promise<MessagePage> {
  const { userId, isScheduled = false, viewer } = list;
  const { mode } = list.query;
  return await listPage(
    db,
    { userId, isScheduled, hasHidden: viewer === "administrator", isTest: mode === "test" },
    list.query,
  );
}

/**
 * A customer's messages of all states, those that wait for their time among them, in the order in which they were accepted or began, newest first.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listSentAndScheduled(
  db: Queryable,
  { userId, query }: { userId: string; query: Omit<MessageListQuery, "search" | "state"> },
): Promise<MessagePage> {
  const isTest = query.mode === "test";
  const filterOf = (isScheduled: boolean) => filterFor({ userId, isScheduled, isTest }, query);
  // Each of the two has its own index, so that a page costs the same however long the other is.
  const read = async (limit: number) => {
    const lists = await Promise.all([true, false].map((one) => selectMessages(db, filterOf(one), { limit })));
    return lists.flat().toSorted((one, other) => (one.listedId < other.listedId ? 1 : -1));
  };
  const { rows, next } = await readPage(query.limit, read, (row) => row.listedId);
  return { rows: await toMessages(db, rows), next };
}

/**
 * The sent messages of all customers, newest first, hidden ones included: for administrators.
 *
 * @param list userId leaves one customer's; one that nobody has leaves none.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listAllMessages(
  db: Queryable,
  list: { userId?: string | undefined; query: MessageListQuery },
): Promise<MessagePage> {
  return await listPage(db, { userId: list.userId, isScheduled: false, hasHidden: true }, list.query);
}

/** @throws AppError `NOT_FOUND` also for another customer's message, one of another mode and, unless an administrator looks, a hidden one. */
export async function getMessage(db: Queryable, key: MessageKey, viewer: Viewer = "customer"): Promise<Message> {
  const row = await selectMessage(db, key);
  if (row === undefined || (isDeleted(row) && viewer === "customer")) throw new AppError("NOT_FOUND");
  if (key.mode !== undefined && row.isTest !== (key.mode === "test")) throw new AppError("NOT_FOUND");
  const [message] = await toMessages(db, [row]);
  assert(message !== undefined);
  return message;
}

/** A test is hidden from the start, and deleted when it is hidden later. */
function isDeleted({ hiddenAt, isTest, createdAt }: Pick<MessageRow, "hiddenAt" | "isTest" | "createdAt">): boolean {
  return hiddenAt !== null && !(isTest && hiddenAt.getTime() === createdAt.getTime());
}

/** The messages that went out on one day of Lagos, `YYYY-MM-DD`, and where their recipients stand now. */
export type MessageDay = { day: string; messages: number; counts: MessageCounts };

const NO_COUNTS: MessageCounts = {
  waiting: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  dnd: 0,
  unknown: 0,
  cancelled: 0,
  optedOut: 0,
  expired: 0,
};

/**
 * A customer's last days, in order, empty ones too; the last is the day of `now`. What the customer deleted counts: it went out.
 *
 * @param dayCount at least 1.
 */
export async function listMessageDays(
  db: Queryable,
  { userId, now, dayCount }: { userId: string; now: Date; dayCount: number },
): Promise<MessageDay[]> {
  const days = Array.from({ length: dayCount }, (_, index) =>
    lagosDate(new Date(now.getTime() - (dayCount - 1 - index) * DAY_MS)),
  );
  const bounds = days.map((day) => smallestIdOf(startOfDayMs(day)));
  const stretches = await selectMessageStretches(db, userId, bounds);
  const stretchOf = new Map(stretches.map(({ index, ...stretch }) => [index, stretch]));
  return days.map((day, index) => {
    const { messages, ...counts } = stretchOf.get(index) ?? { messages: 0, ...NO_COUNTS };
    return { day, messages, counts };
  });
}

async function listPage(
  db: Queryable,
  whose: Pick<MessageFilter, "userId" | "isScheduled" | "hasHidden" | "isTest">,
  query: MessageListQuery,
): Promise<MessagePage> {
  const filter = filterFor(whose, query);
  if (query.search !== undefined) return await searchPage(db, filter, readSearch(query.search), query.limit);
  const { rows, next } = await readPage(
    query.limit,
    (limit) => selectMessages(db, filter, { limit }),
    (row) => row.listedId,
  );
  return { rows: await toMessages(db, rows), next };
}

function filterFor(
  whose: Pick<MessageFilter, "userId" | "isScheduled" | "hasHidden" | "isTest">,
  query: MessageListQuery,
): MessageFilter {
  return {
    ...whose,
    state: query.state,
    closedLanes: query.closedLanes ?? [],
    senderName: query.sender,
    fromId: query.from === undefined ? undefined : smallestIdOf(startOfDayMs(query.from)),
    beforeId: earlierId(
      readCursor(query.after),
      query.to === undefined ? undefined : smallestIdOf(startOfDayMs(query.to) + DAY_MS),
    ),
  };
}

/** No index finds a part of a text, so a search reads the list from the newest message on, in bounded steps. */
async function searchPage(
  db: Queryable,
  filter: MessageFilter,
  search: MessageSearch,
  limit: number,
): Promise<MessagePage> {
  const found: MessageRow[] = [];
  let beforeId = filter.beforeId;
  for (let steps = 0; steps < SEARCH_STEPS_MAX; steps += 1) {
    const step = await selectSearchStep(db, { ...filter, beforeId }, SEARCH_STEP);
    if (step === undefined) return { rows: await toMessages(db, found), next: null };
    const wanted = limit - found.length + 1;
    found.push(...(await selectMessages(db, { ...filter, fromId: step.endId, beforeId }, { limit: wanted, search })));
    if (found.length > limit)
      return { rows: await toMessages(db, found.slice(0, limit)), next: found[limit - 1]?.listedId ?? null };
    if (!step.hasMore) return { rows: await toMessages(db, found), next: null };
    beforeId = step.endId;
  }
  return { rows: await toMessages(db, found), next: beforeId ?? null };
}

/** A search for digits, with or without the marks that people write between them, also looks into the numbers. */
function readSearch(text: string): MessageSearch {
  const digits = text.replace(/[\s()+-]/g, "");
  if (!/^[0-9]{3,15}$/.test(digits)) return { text };
  return digits.startsWith("0") ? { text, digits, localDigits: digits.slice(1) } : { text, digits };
}

/** Lagos is an hour ahead of UTC, all year. */
function startOfDayMs(day: string): number {
  return Date.parse(`${day}T00:00:00+01:00`);
}

function earlierId(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function readCursor(after: string | undefined): string | undefined {
  assertIdCursor(after);
  return after?.toLowerCase();
}

/** @returns each row as a message, with what became of its units. */
export async function toMessages(db: Queryable, rows: readonly MessageRow[]): Promise<Message[]> {
  const outcomes = await readHoldOutcomes(
    db,
    rows.map(({ userId, holdId }) => ({ userId, holdId: holdId ?? undefined })),
  );
  return rows.map((row, index) => {
    const units = outcomes[index];
    assert(units !== undefined);
    return toMessage(row, units);
  });
}

function toMessage(row: MessageRow, units: HoldOutcome): Message {
  const { waiting, sent, delivered, failed, dnd, unknown, optedOut } = row;
  // Nobody of a message that expired was cancelled: there was nobody left to.
  const [cancelled, expired] = row.hasExpired ? [0, row.cancelled] : [row.cancelled, 0];
  return {
    messageId: row.messageId,
    userId: row.userId,
    userName: row.userName,
    senderName: row.senderName,
    body: row.body,
    code: row.code,
    firstPhoneNos: row.firstPhoneNos,
    recipientCount: row.recipientCount,
    pageCount: row.pageCount,
    priceMilli: row.priceMilli,
    holdId: row.holdId ?? undefined,
    units,
    state: messageStateName(row.hasExpired ? messageStateNumbers.sending : row.state, waiting),
    storedState: row.state,
    lane: row.lane,
    class: row.isTransactional ? "transactional" : "promotional",
    reachesDnd: row.reachesDnd,
    counts: {
      waiting,
      sent,
      delivered,
      failed,
      dnd,
      unknown,
      cancelled,
      optedOut,
      expired,
    },
    createdAt: row.createdAt,
    sendAt: row.sendAt ?? undefined,
    timeZone: row.timeZone ?? undefined,
    validUntil: row.validUntil ?? undefined,
    repeat: row.repeat ?? undefined,
    reference: row.reference ?? undefined,
    origin: row.origin ?? undefined,
    sentBy: row.sentBy ?? undefined,
    awaitsApproval: row.awaitsApproval,
    hiddenAt: isDeleted(row) ? (row.hiddenAt ?? undefined) : undefined,
    mode: row.isTest ? "test" : "live",
    isMerged: row.isMerged,
    hasOptOutLink: row.hasOptOutLink,
  };
}
