import type { RecipientState } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { countColumns } from "../outcomes/flush-store.ts";
import {
  selectConversations,
  selectInbox,
  selectInboundNumbers,
  selectInboxMessage,
  selectInboxReplies,
  type Conversation,
  type InboundNumber,
  type InboxMessage,
  type InboxReply as ReplyRow,
} from "./inbox-store.ts";
import { readAddress } from "./route-inbound.ts";

export type { Conversation, InboundNumber, InboxMessage };

type List = { userId: string; limit: number; after?: string | undefined };
type Listed<Row> = { rows: Row[]; next: string | null };

/**
 * A customer's messages from phones, newest first; all of them or one person's.
 *
 * @throws AppError `VALIDATION` for a cursor that is none. So do the other lists.
 */
export async function listInbox(
  db: Queryable,
  list: List & { from?: string | undefined },
): Promise<Listed<InboxMessage>> {
  const from = list.from === undefined ? undefined : readAddress(list.from);
  return await readById(
    list,
    async (page) => await selectInbox(db, { ...page, from }),
    ({ inboundId }) => inboundId,
  );
}

/** Everybody who wrote to a customer, with their last message; the newest first. */
export async function listConversations(db: Queryable, list: List): Promise<Listed<Conversation>> {
  return await readById(
    list,
    async (page) => await selectConversations(db, page),
    ({ inboundId }) => inboundId,
  );
}

export type InboxReply = ReplyRow & { state: RecipientState };

/** What went to one person from the customer's numbers, newest first. */
export async function listInboxReplies(db: Queryable, list: List & { to: string }): Promise<Listed<InboxReply>> {
  const { rows, next } = await readById(
    list,
    async (page) => await selectInboxReplies(db, { ...page, personAddress: readAddress(list.to) }),
    ({ messageId }) => messageId,
  );
  // It has one recipient, who is in one of the states.
  return {
    rows: rows.map((row) => ({ ...row, state: stateOf(row) })),
    next,
  };
}

function stateOf(row: ReplyRow): RecipientState {
  const column = countColumns.find((name) => row[name] > 0) ?? "waiting";
  return column === "opted_out" ? "optedOut" : column;
}

/** Numbers and keywords with their owners, newest first. */
export async function listInboundNumbers(db: Queryable, list: Omit<List, "userId">): Promise<Listed<InboundNumber>> {
  return await readById(
    { ...list, userId: "" },
    async (page) => await selectInboundNumbers(db, page),
    ({ numberId }) => numberId,
  );
}

/** @throws AppError `NOT_FOUND`. */
export async function getInboxMessage(
  db: Queryable,
  key: { userId: string; inboundId: string },
): Promise<InboxMessage> {
  const message = await selectInboxMessage(db, key);
  if (message === undefined) throw new AppError("NOT_FOUND");
  return message;
}

async function readById<Row>(
  { userId, limit, after }: List,
  select: (page: { userId: string; limit: number; beforeId: string | undefined }) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<Listed<Row>> {
  assertIdCursor(after);
  return await readPage(limit, async (rowsMax) => await select({ userId, limit: rowsMax, beforeId: after }), idOf);
}
