/**
 * All SQL that lists messages. Lists are in the order of `LISTED`, an id in order of time, newest first; every filter has an
 * index that ends in it (0007_messages.sql), so a page costs the same however long the list is.
 */
import { findLikelyNetwork, type AnchoredRepeat, type MessageCounts, type MessageState } from "@ewebal/contract";
import type { OwnedSummary } from "../../../db/owned-summary.ts";
import type { Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { IS_THERE } from "../queue/message-store.ts";
import { messageStateNumbers, deliveryStates, TEST_CARRIER_ID } from "../states.ts";
import type { Tx } from "../../../db/transaction.ts";

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
  isMerged: boolean;
  hasOptOutLink: boolean;
  isTest: boolean;
  isTransactional: boolean;
  reachesDnd: boolean;
  /** Of its first batch, and so of all. */
  lane: number;
  validUntil: Date | null;
  hasExpired: boolean;
  repeat: AnchoredRepeat | null;
  reference: string | null;
  origin: string | null;
  sentBy: string | null;
  awaitsApproval: boolean;
  firstPhoneNos: number[];
} & MessageCounts & { optedOut: number };

const LISTED = "coalesce(message.listed_id, message.message_id)";

const messageColumns = `
  message.message_id, ${LISTED} as listed_id, message.user_id, message.user_name, message.sender_name, message.body, message.code, message.page_count,
  message.price_milli, message.recipient_count, message.hold_id, message.state, message.send_at, message.time_zone, message.created_at, message.hidden_at,
  message.is_merged, message.has_opt_out_link, message.is_test, message.is_transactional, message.reaches_dnd, message.valid_until, message.has_expired,
  message.repeat, message.reference, message.origin, message.sent_by, message.awaits_approval`;

/** The columns of a `MessageRow`, from a message that its counts and its first batch are joined to. */
export function rowColumns(source: "message" | "page"): string {
  const listedId = source === "page" ? "page.listed_id" : LISTED;
  return `
    ${source}.message_id as "messageId", ${listedId} as "listedId", ${source}.user_id as "userId", ${source}.user_name as "userName",
    ${source}.sender_name as "senderName", ${source}.body, ${source}.code, ${source}.page_count as "pageCount", ${source}.price_milli as "priceMilli",
    ${source}.recipient_count as "recipientCount", ${source}.hold_id as "holdId", ${source}.state, ${source}.send_at as "sendAt",
    ${source}.time_zone as "timeZone", ${source}.created_at as "createdAt", ${source}.hidden_at as "hiddenAt", ${source}.is_merged as "isMerged",
    ${source}.has_opt_out_link as "hasOptOutLink", ${source}.valid_until as "validUntil", ${source}.has_expired as "hasExpired", ${source}.repeat,
    ${source}.reference, ${source}.origin, ${source}.sent_by as "sentBy", ${source}.awaits_approval as "awaitsApproval",
    ${source}.is_test as "isTest", ${source}.is_transactional as "isTransactional", ${source}.reaches_dnd as "reachesDnd", first_batch.lane,
    waiting, sent, delivered, failed, dnd, unknown, cancelled, opted_out as "optedOut",
    array_remove(first_batch.recipients[1:${deliveryLimits.firstPhoneNosMax}], null) as "firstPhoneNos"`;
}

/** How many recipients of a message wait. A subquery for each message that is read: a join would be planned before the list's order. */
const WAITING = `(select waiting from message_count own where own.user_id = message.user_id and own.message_id = message.message_id)`;

export const JOINS = `
  join message_count using (user_id, message_id)
  join message_batch first_batch using (user_id, message_id)`;

export type MessageFilter = {
  /** Undefined: all customers' messages. */
  userId?: string | undefined;
  /** Tests instead of live messages; of one customer, without those that the customer deleted. */
  isTest?: boolean | undefined;
  isScheduled: boolean;
  /** Whether the list shows messages that their customer deleted. For administrators. */
  hasHidden?: boolean;
  state?: Exclude<MessageState, "scheduled"> | undefined;
  /** Lanes that quiet hours close now: their messages are deferred, not sending. */
  closedLanes?: readonly number[];
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

/** Collects conditions and their parameters. `parameter` returns the name under which a condition uses a value. */
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

/** Messages with waiting recipients are found by their open batches (index message_batch_open): those are few, messages may be a million. */
const OPEN = `open_message as materialized (
  select distinct user_id, message_id from message_batch where state + 0 < 3`;

const SENDING = `message.state = ${messageStateNumbers.sending} and ${WAITING} > 0`;

const LANE = `(select lane from message_batch first
  where first.user_id = message.user_id and first.message_id = message.message_id and first.batch_index = 0)`;

const stateConditions: Record<Exclude<MessageState, "scheduled" | "deferred">, string> = {
  sending: SENDING,
  review: `message.state = ${messageStateNumbers.review}`,
  paused: `message.state = ${messageStateNumbers.paused} and ${WAITING} > 0`,
  held: `message.state = ${messageStateNumbers.held}`,
  cancelled: `message.state = ${messageStateNumbers.cancelled} and not message.has_expired`,
  done: `(message.state in (${messageStateNumbers.sending}, ${messageStateNumbers.paused}) or message.has_expired) and ${WAITING} = 0`,
};

const OPEN_STATES: ReadonlySet<string> = new Set(["sending", "paused", "held", "review", "deferred"]);

function isOpenState(filter: MessageFilter): boolean {
  return OPEN_STATES.has(filter.state ?? "");
}

function conditionsOf(filter: MessageFilter): Conditions {
  const conditions = new Conditions();
  if (filter.userId !== undefined) conditions.add(`message.user_id = ${conditions.parameter(filter.userId)}`);
  // The conditions are those of the indexes, word for word: the planner does not know that state = 1 implies state <> 0.
  conditions.add(`message.state ${filter.isScheduled ? "=" : "<>"} ${messageStateNumbers.scheduled}`);
  if (filter.state !== undefined) addState(conditions, filter.state, filter.closedLanes ?? []);
  if (filter.senderName !== undefined) conditions.add(`sender_name = ${conditions.parameter(filter.senderName)}`);
  if (filter.fromId !== undefined) conditions.add(`${LISTED} >= ${conditions.parameter(filter.fromId)}`);
  if (filter.beforeId !== undefined) conditions.add(`${LISTED} < ${conditions.parameter(filter.beforeId)}`);
  return conditions;
}

function addState(
  conditions: Conditions,
  state: Exclude<MessageState, "scheduled">,
  closedLanes: readonly number[],
): void {
  conditions.add(state === "deferred" ? SENDING : stateConditions[state]);
  if (state === "deferred" || (state === "sending" && closedLanes.length > 0))
    conditions.add(
      `${LANE} ${state === "deferred" ? "= any" : "<> all"} (${conditions.parameter(closedLanes)}::smallint[])`,
    );
}

/** Hidden, and no test: the condition of the indexes `message_deleted`. */
export const DELETED = "hidden_at is not null and not is_test";

/**
 * Hidden messages have their own indexes. A list that shows them reads both parts in its order and merges them.
 *
 * @param select writes the ordered and bounded statement for a condition on `message`.
 */
function withHidden(filter: MessageFilter, limit: string, select: (hidden: string) => string): string {
  if (filter.isTest === true) return select(`is_test and ${IS_THERE}`);
  if (filter.hasHidden !== true) return select("hidden_at is null");
  return `select * from ((${select("hidden_at is null")}) union all (${select(DELETED)})) as part order by listed_id desc limit ${limit}`;
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
    found.push(`exists (select 1 from message_batch batch
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

/** Finds a message, hidden or not. */
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

/** Whether a carrier was ever given a message of the customer. */
export async function hasHandedOver(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    `select exists (select from message_count join message using (user_id, message_id)
       where user_id = $1 and not is_test and sent + delivered + failed + unknown > 0) as has`,
    [userId],
  );
  return rows[0]?.has === true;
}

/**
 * The newest ids of customers' sent messages and how many there are; hidden and scheduled ones do not count.
 *
 * @param idsMax how many of the newest ids of each customer.
 */
export async function selectMessageSummaries(
  db: Queryable,
  userIds: readonly string[],
  idsMax: number,
): Promise<OwnedSummary[]> {
  // The newest by the list's own index, one look for each customer; the count is kept (see 0055_counts_and_sealed_point.sql).
  const { rows } = await db.query<OwnedSummary>(
    `select own.user_id as "userId", own.messages as count,
       array(
         select message_id from message
         where message.user_id = own.user_id and state <> ${messageStateNumbers.scheduled} and hidden_at is null
         order by ${LISTED} desc limit $2
       ) as "newestIds"
     from customer_count own where own.user_id = any ($1::uuid[])`,
    [userIds, idsMax],
  );
  const found = new Map(rows.map((row) => [row.userId, row]));
  return userIds.map((userId) => found.get(userId) ?? { userId, newestIds: [], count: 0 });
}

/** The tallies of the messages of one stretch of time, added up. */
export type MessageStretch = { index: number; messages: number } & MessageCounts;

const sumOf = (column: keyof MessageCounts): string => `sum(${column})::bigint as ${column}`;

/**
 * Adds up the tallies of a customer's messages, hidden ones too, by when they went out. No recipient is read: the cost grows with
 * the messages since the first bound: 0.3 s for 65,000 on two very busy cores (2026-11-23).
 *
 * @param bounds lowest ids of the stretches, in order; each ends where the next begins. `index` counts them from 0.
 */
export async function selectMessageStretches(
  db: Queryable,
  userId: string,
  bounds: readonly string[],
): Promise<MessageStretch[]> {
  const select = (hidden: string): string => `
    select message_id, width_bucket(${LISTED}, $2::uuid[]) - 1 as index, has_expired from message
    where user_id = $1 and state <> ${messageStateNumbers.scheduled} and ${LISTED} >= $3::uuid and ${hidden}`;
  const { rows } = await db.query<MessageStretch>(
    `select index, count(*) as messages, ${sumOf("waiting")}, ${sumOf("sent")}, ${sumOf("delivered")}, ${sumOf("failed")},
       ${sumOf("dnd")}, ${sumOf("unknown")},
       coalesce(sum(cancelled) filter (where not has_expired), 0)::bigint as cancelled,
       coalesce(sum(cancelled) filter (where has_expired), 0)::bigint as expired, sum(opted_out)::bigint as "optedOut"
     from (${select("hidden_at is null")} union all ${select(DELETED)}) as listed
     join message_count on message_count.user_id = $1 and message_count.message_id = listed.message_id
     group by index`,
    [userId, bounds, bounds[0]],
  );
  return rows;
}

/** Finds a message's customer by the message's id alone. */
export async function findMessageOwner(db: Queryable, messageId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from message where message_id = $1 limit 1`,
    [messageId],
  );
  return rows[0]?.userId;
}

/** `2347025` for a Nigerian number, its first seven digits, which tell its network; `0` for all other countries. */
export const NETWORK_PREFIX =
  "case when phone_no between 2340000000000 and 2349999999999 then phone_no / 1000000 else 0 end";

/** @param prefix as `NETWORK_PREFIX` gives it. @returns the likely network's name, or what stands for the rest. */
export function networkOfPrefix(prefix: number): string {
  if (prefix === 0) return "Abroad";
  return findLikelyNetwork(`${prefix}000000`)?.name ?? "Other networks";
}

/** Recipients that were handed over in one hour, to numbers that begin alike, by what became of them up to now. */
export type TrafficRow = {
  hour: Date;
  /** As `NETWORK_PREFIX`. */
  prefix: number;
  sent: number;
  delivered: number;
  failed: number;
  dnd: number;
  unknown: number;
};

const countOf = (state: number): string => `count(*) filter (where state = ${state})`;

/**
 * Its cost grows with what was handed over in that time, not with what is stored: 1 s for 1,000,000 recipients.
 *
 * @param tx reads by index from here on: the planner takes a day for too much of a month to look at the summaries of block
 *   ranges, and reads all of it instead (3.7 s, not 0.9 s, with 10,000,000 rows).
 * @param period from the beginning of an hour to the beginning of another.
 */
export async function selectTraffic(tx: Tx, period: { since: Date; until: Date }): Promise<TrafficRow[]> {
  await tx.query("set local enable_seqscan = off");
  const { rows } = await tx.query<TrafficRow>(
    `select date_bin('1 hour', submitted_at, 'epoch') as hour,
       ${NETWORK_PREFIX} as prefix,
       ${countOf(deliveryStates.sent)} as sent, ${countOf(deliveryStates.delivered)} as delivered,
       ${countOf(deliveryStates.failed)} as failed, ${countOf(deliveryStates.dnd)} as dnd, ${countOf(deliveryStates.unknown)} as unknown
     from delivery where submitted_at >= $1 and submitted_at < $2 and carrier_id is distinct from ${TEST_CARRIER_ID} group by 1, 2`,
    [period.since, period.until],
  );
  return rows;
}

/** When the first of all messages was accepted; undefined before that. */
export async function findFirstMessageTime(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.query<{ createdAt: Date }>(
    `select created_at as "createdAt" from message order by message_id limit 1`,
  );
  return rows[0]?.createdAt;
}
