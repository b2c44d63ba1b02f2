import type { ListQuery, MessageCounts, MessageState } from "@ewebal/contract";
import { idSchema } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";
import { AppError, fieldError } from "../../errors.ts";
import { selectAllMessages, selectCustomerMessages, selectMessage, type MessageRow } from "./message-store.ts";
import { messageStateName } from "./states.ts";

export type Message = {
  messageId: string;
  userId: string;
  userName: string;
  senderName: string;
  body: string;
  code: string;
  /** At most the first 100 numbers, in the order they were given. */
  firstPhoneNos: number[];
  /** All listed numbers, DND included. */
  recipientCount: number;
  pageCount: number;
  /** For one recipient, in thousandths of a unit. */
  priceMilli: number;
  holdId: string | undefined;
  state: MessageState;
  counts: MessageCounts;
  createdAt: Date;
  sendAt: Date | undefined;
  timeZone: string | undefined;
};

/** @returns `next` is the cursor for `after`, null when this page is the last. */
export type MessagePage = { rows: Message[]; next: string | null };

/**
 * A customer's messages, newest first; hidden ones are left out.
 *
 * @param list isScheduled lists what is not due yet instead of what was sent.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listMessages(
  db: Queryable,
  list: { userId: string; query: ListQuery; isScheduled?: boolean },
): Promise<MessagePage> {
  const after = readCursor(list.query.after);
  // One more than asked tells whether there is a next page.
  const rows = await selectCustomerMessages(db, {
    userId: list.userId,
    isScheduled: list.isScheduled ?? false,
    after,
    limit: list.query.limit + 1,
  });
  return toPage(rows, list.query.limit);
}

/** Everybody's sent messages, newest first, for administrators. */
export async function listAllMessages(db: Queryable, list: { query: ListQuery }): Promise<MessagePage> {
  const rows = await selectAllMessages(db, { after: readCursor(list.query.after), limit: list.query.limit + 1 });
  return toPage(rows, list.query.limit);
}

/** @throws AppError `NOT_FOUND` also for another customer's message and for a hidden one. */
export async function getMessage(db: Queryable, key: { userId: string; messageId: string }): Promise<Message> {
  const row = await selectMessage(db, key);
  if (row === undefined) throw new AppError("NOT_FOUND");
  return toMessage(row);
}

function readCursor(after: string | undefined): string | undefined {
  if (after === undefined) return undefined;
  if (!idSchema.safeParse(after).success) throw fieldError("after", "is not a cursor of this list");
  return after;
}

function toPage(rows: MessageRow[], limit: number): MessagePage {
  const shown = rows.slice(0, limit).map(toMessage);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.messageId ?? null) : null };
}

function toMessage(row: MessageRow): Message {
  const { waiting, sent, delivered, failed, dnd, unknown, cancelled } = row;
  return {
    messageId: row.message_id,
    userId: row.user_id,
    userName: row.user_name,
    senderName: row.sender_name,
    body: row.body,
    code: row.code,
    firstPhoneNos: row.first_phone_nos,
    recipientCount: row.recipient_count,
    pageCount: row.page_count,
    priceMilli: row.price_milli,
    holdId: row.hold_id ?? undefined,
    state: messageStateName(row.state, waiting),
    counts: { waiting, sent, delivered, failed, dnd, unknown, cancelled },
    createdAt: row.created_at,
    sendAt: row.send_at ?? undefined,
    timeZone: row.time_zone ?? undefined,
  };
}
