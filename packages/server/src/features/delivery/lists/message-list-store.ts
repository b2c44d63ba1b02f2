/**
 * All SQL that lists messages. Lists are in the order of `LISTED`, an id in order of time, newest first; every filter has an
 * index that ends in it (0007_messages.sql), so a page costs the same however long the list is.
 */
import type { MessageCounts, MessageState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { messageStateNumbers } from "../states.ts";

export type MessageRow = {
  messageId: string;
  listedId: string;
  userId: string;
  userName: string;
  senderName: string;
  body: string;
  code: string;
  pageCount: number;
  priceMilli: number;
  recipientCount: number;
  holdId: string | null;
  state: number;
  sendAt: Date | null;
  timeZone: string | null;
  createdAt: Date;
  hiddenAt: Date | null;
  firstPhoneNos: number[];
} & MessageCounts;

const LISTED = "coalesce(message.listed_id, message.message_id)";

const messageColumns = `
  message.message_id, ${LISTED} as listed_id, message.user_id, message.user_name, message.sender_name, message.body, message.code, message.page_count,
  message.price_milli, message.recipient_count, message.hold_id, message.state, message.send_at, message.time_zone, message.created_at, message.hidden_at`;

/** The columns of a `MessageRow`, from a message that its counts and its first batch are joined to. */
function rowColumns(source: "message" | "page"): string {
  const listedId = source === "page" ? "page.listed_id" : LISTED;
  return `
    ${source}.message_id as "messageId", ${listedId} as "listedId", ${source}.user_id as "userId", ${source}.user_name as "userName",
    ${source}.sender_name as "senderName", ${source}.body, ${source}.code, ${source}.page_count as "pageCount", ${source}.price_milli as "priceMilli",
    ${source}.recipient_count as "recipientCount", ${source}.hold_id as "holdId", ${source}.state, ${source}.send_at as "sendAt",
    ${source}.time_zone as "timeZone", ${source}.created_at as "createdAt", ${source}.hidden_at as "hiddenAt",
    waiting, sent, delivered, failed, dnd, unknown, cancelled,
    first_batch.recipients[1:${deliveryLimits.firstPhoneNosMax}] as "firstPhoneNos"`;
}

/** How many of a message wait, looked up for each message that is looked at: a join would be planned before the list's order. */
const WAITING = `(select waiting from message_count own where own.user_id = message.user_id and own.message_id = message.message_id)`;

const JOINS = `
  join message_count using (user_id, message_id)
  join message_batch first_batch using (user_id, message_id)`;

export type MessageFilter = {
  /** Undefined: everybody's. */
  userId?: string | undefined;
  isScheduled: boolean;
  /** Whether what its customer deleted is listed: for administrators. */
  hasHidden?: boolean;
  state?: Exclude<MessageState, "scheduled"> | undefined;
  senderName?: string | undefined;
  /** Ids that bound the place in the list: this or newer, older than this. */
  fromId?: string | undefined;
  beforeId?: string | undefined;
};

/** A part of the text or of the sender name, in any case; with digits also of a number. */
export type MessageSearch = {
  text: string;
  /** Digits anywhere in a number. */
  digits?: string | undefined;
  /** Digits after the country code, as numbers are written at home: 0803. */
  localDigits?: string | undefined;
};

/** Conditions and their parameters; a condition names its parameter as it gets it. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  get text(): string {
    return this.#texts.join(" and ");
  }
}

/** What somebody waits in is found by its batches (index message_batch_open): few, while the messages may be a million. */
const OPEN = `open_message as materialized (
  select distinct user_id, message_id from message_batch where state + 0 < 3`;

const stateConditions: Record<Exclude<MessageState, "scheduled">, string> = {
  sending: `message.state = ${messageStateNumbers.sending} and ${WAITING} > 0`,
  paused: `message.state = ${messageStateNumbers.paused} and ${WAITING} > 0`,
  held: `message.state = ${messageStateNumbers.held}`,
  cancelled: `message.state = ${messageStateNumbers.cancelled}`,
  done: `message.state in (${messageStateNumbers.sending}, ${messageStateNumbers.paused}) and ${WAITING} = 0`,
};

function isOpenState(filter: MessageFilter): boolean {
  return filter.state === "sending" || filter.state === "paused" || filter.state === "held";
}

function conditionsOf(filter: MessageFilter): Conditions {
  const conditions = new Conditions();
  if (filter.userId !== undefined) conditions.add(`message.user_id = ${conditions.parameter(filter.userId)}`);
  // Word for word as in the indexes: a planner does not see that state = 1 implies state <> 0.
  conditions.add(`message.state ${filter.isScheduled ? "=" : "<>"} ${messageStateNumbers.scheduled}`);
  if (filter.state !== undefined) conditions.add(stateConditions[filter.state]);
  if (filter.senderName !== undefined) conditions.add(`sender_name = ${conditions.parameter(filter.senderName)}`);
  if (filter.fromId !== undefined) conditions.add(`${LISTED} >= ${conditions.parameter(filter.fromId)}`);
  if (filter.beforeId !== undefined) conditions.add(`${LISTED} < ${conditions.parameter(filter.beforeId)}`);
  return conditions;
}

/**
 * Hidden messages have indexes of their own: for who sees them, both parts are read in the list's order and merged.
 *
 * @param select writes the ordered and bounded statement for a condition on `message`.
 */
function withHidden(filter: MessageFilter, limit: string, select: (hidden: string) => string): string {
  if (filter.hasHidden !== true) return select("hidden_at is null");
  return `select * from ((${select("hidden_at is null")}) union all (${select("hidden_at is not null")})) as part order by listed_id desc limit ${limit}`;
}

/**
 * The page first, what stands beside its messages after: joined at once, the planner multiplies the selectivities of the two keys, expects
 * few rows, and joins and sorts everything (5,033 ms instead of 10 ms at 210,000 messages with 20,000,000 recipients).
 *
 * @returns the statement of one page, for the store and for tests of its plan.
 */
export function messagePageQuery(
  filter: MessageFilter,
  page: { limit: number; search?: MessageSearch | undefined },
): { text: string; values: unknown[] } {
  const conditions = conditionsOf(filter);
  const open = isOpenState(filter) ? `${OPEN}${filter.userId === undefined ? "" : " and user_id = $1"}), ` : "";
  if (page.search !== undefined) conditions.add(searchCondition(conditions, page.search));
  const limit = conditions.parameter(page.limit);
  const select = (hidden: string): string => `
    select ${messageColumns} from message ${open === "" ? "" : "join open_message using (user_id, message_id)"}
    where ${conditions.text} and ${hidden}
    order by ${LISTED} desc limit ${limit}`;
  const text = `
    with ${open}page as materialized (${withHidden(filter, limit, select)})
    select ${rowColumns("page")} from page ${JOINS} where first_batch.batch_index = 0 order by page.listed_id desc`;
  return { text, values: conditions.values };
}

function searchCondition(conditions: Conditions, { text, digits, localDigits }: MessageSearch): string {
  const wanted = conditions.parameter(text.toLowerCase());
  const found = [`strpos(lower(body), ${wanted}) > 0`, `strpos(lower(sender_name), ${wanted}) > 0`];
  const numbers = "',' || array_to_string(batch.recipients, ',')";
  const inNumbers: string[] = [];
  if (digits !== undefined) inNumbers.push(`strpos(${numbers}, ${conditions.parameter(digits)}) > 0`);
  if (localDigits !== undefined)
    inNumbers.push(`strpos(${numbers}, ',' || code || ${conditions.parameter(localDigits)}) > 0`);
  if (inNumbers.length > 0) {
    found.push(`exists (select from message_batch batch
      where batch.user_id = message.user_id and batch.message_id = message.message_id and (${inNumbers.join(" or ")}))`);
  }
  return `(${found.join(" or ")})`;
}

export async function selectMessages(
  db: Queryable,
  filter: MessageFilter,
  page: { limit: number; search?: MessageSearch | undefined },
): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>(messagePageQuery(filter, page));
  return rows;
}

/**
 * How far a search may look in one step: so many messages with so many recipients, whatever is found there.
 *
 * @returns the place of the last message of the step, and whether there are more behind it; undefined when there is none.
 */
export async function selectSearchStep(
  db: Queryable,
  filter: MessageFilter,
  step: { messagesMax: number; recipientsMax: number },
): Promise<{ endId: string; hasMore: boolean } | undefined> {
  const conditions = conditionsOf({ ...filter, state: undefined });
  const limit = conditions.parameter(step.messagesMax);
  const select = (hidden: string): string =>
    `select ${LISTED} as listed_id, recipient_count from message where ${conditions.text} and ${hidden} order by ${LISTED} desc limit ${limit}`;
  const { rows } = await db.query<{ endId: string; hasMore: boolean }>(
    `with step as (
       select listed_id, recipient_count, sum(recipient_count) over (order by listed_id desc) as total, count(*) over () as count
       from (${withHidden(filter, limit, select)}) as next_messages
     )
     select listed_id as "endId", count = ${limit} or (select max(total) from step) <> total as "hasMore"
     from step where total - recipient_count < ${conditions.parameter(step.recipientsMax)} order by listed_id limit 1`,
    conditions.values,
  );
  return rows[0];
}

/** Also one that is hidden. */
export async function selectMessage(
  db: Queryable,
  key: { userId: string; messageId: string },
): Promise<MessageRow | undefined> {
  const { rows } = await db.query<MessageRow>(
    `select ${rowColumns("message")} from message ${JOINS}
     where first_batch.batch_index = 0 and message.user_id = $1 and message.message_id = $2`,
    [key.userId, key.messageId],
  );
  return rows[0];
}

/** Messages that are held after a restore, everybody's, hidden or not: somebody has to decide. */
export async function selectHeldMessages(
  db: Queryable,
  page: { limit: number; beforeId?: string | undefined },
): Promise<(MessageRow & { heldAt: Date; heldFrom: number })[]> {
  const { rows } = await db.query<MessageRow & { heldAt: Date; heldFrom: number }>(
    `select ${rowColumns("message")}, held_at as "heldAt", held_from as "heldFrom" from message ${JOINS}
     where first_batch.batch_index = 0 and message.state = ${messageStateNumbers.held} and ($2::uuid is null or message.message_id < $2)
     order by message.message_id desc limit $1`,
    [page.limit, page.beforeId ?? null],
  );
  return rows;
}
