/**
 * All SQL about single recipients. The batch says what becomes of a recipient without a delivery row: skipped as DND, cancelled or waiting.
 * Every statement walks primary keys in order of position and stops at the limit.
 */
import type { RecipientState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { batchStates, deliveryStates } from "../states.ts";

export type RecipientRow = {
  position: number;
  /** Null when the numbers of its month are no longer kept. */
  phoneNo: number | null;
  /** The number of a delivery state; null without a delivery row. */
  state: number | null;
  errorCode: string | null;
  isSkipped: boolean;
  /** Skipped because it opted out. */
  isOptedOut: boolean;
  isCancelled: boolean;
  /** The message's time was over before its turn came. */
  isExpired: boolean;
  /** It was handed over, or nobody in its batch waits: without a row it belongs to a month whose partition was dropped. */
  hadRow: boolean;
  updatedAt: Date;
};

type Page = { userId: string; messageId: string; after: number; limit: number };

const size = deliveryLimits.batchRecipientsMax;

/** The numbers of the batches that $3 (a position) and later ones lie in, each with its delivery row if it has one. */
const selectListed = `
  select listed.position, listed.phone_no as "phoneNo", own.state, own.error_code as "errorCode", listed.is_skipped as "isSkipped",
    listed.is_opted_out as "isOptedOut",
    batch.state = ${batchStates.cancelled} as "isCancelled", batch.state = ${batchStates.cancelled} and message.has_expired as "isExpired",
    batch.state = ${batchStates.done} or batch.state = ${batchStates.cancelled} and listed.is_handed_over as "hadRow",
    coalesce(own.updated_at, message.state_at) as "updatedAt"
  from message
  join message_batch batch using (user_id, message_id)
  cross join lateral (
    select batch.batch_index * ${size} + number.place::integer - 1 as position, number.phone_no,
      (number.place - 1)::smallint = any (batch.skipped) as is_skipped, (number.place - 1)::smallint = any (batch.opted_out_offsets) as is_opted_out,
      number.place <= batch.intent_count and (number.place - 1)::smallint <> all (batch.redo) as is_handed_over
    from unnest(case when cardinality(batch.recipients) > 0 then batch.recipients
      else array_fill(null::bigint, array[batch.recipient_count::integer]) end) with ordinality as number (phone_no, place)
  ) as listed
  left join delivery own on own.user_id = $1 and own.message_id = $2 and own.position = listed.position
  where message.user_id = $1 and message.message_id = $2 and batch.batch_index >= ($3::integer + 1) / ${size} and listed.position > $3`;

/** All recipients, whatever became of them. */
export async function selectRecipients(db: Queryable, page: Page): Promise<RecipientRow[]> {
  // A page lies in one or two batches, whatever the size of the message.
  const { rows } = await db.query<RecipientRow>(
    `${selectListed} and batch.batch_index <= ($3::integer + $4::integer) / ${size} order by batch.batch_index, listed.position limit $4`,
    [page.userId, page.messageId, page.after, page.limit],
  );
  return rows;
}

/** Recipients whose delivery row has one state. */
export async function selectRecipientsWithRow(
  db: Queryable,
  page: Page & { state: keyof typeof deliveryStates },
): Promise<RecipientRow[]> {
  const { rows } = await db.query<RecipientRow>(
    `select position, phone_no as "phoneNo", state, error_code as "errorCode", false as "isSkipped", false as "isOptedOut", false as "isCancelled", false as "isExpired", true as "hadRow",
       updated_at as "updatedAt"
     from delivery where user_id = $1 and message_id = $2 and position > $3 and state = $5
     order by position limit $4`,
    [page.userId, page.messageId, page.after, page.limit, deliveryStates[page.state]],
  );
  return rows;
}

/** Recipients without a delivery row: those that wait, those that were cancelled, or those skipped as DND or opted out. */
export async function selectRecipientsWithoutRow(
  db: Queryable,
  page: Page & { state: Extract<RecipientState, "waiting" | "cancelled" | "dnd" | "optedOut" | "expired"> },
): Promise<RecipientRow[]> {
  const withoutTurn = `batch.state = ${batchStates.cancelled} and own.state is null and not listed.is_skipped and not listed.is_handed_over`;
  const condition = {
    waiting: `batch.state in (${batchStates.held}, ${batchStates.ready}, ${batchStates.leased}) and own.state is null and not listed.is_skipped`,
    cancelled: withoutTurn,
    // The same: who asks has seen in the message's counts which of the two its recipients are.
    expired: withoutTurn,
    dnd: "batch.skipped <> '{}' and listed.is_skipped and not listed.is_opted_out",
    optedOut: "batch.opted_out_offsets <> '{}' and listed.is_opted_out",
  }[page.state];
  const { rows } = await db.query<RecipientRow>(
    `${selectListed} and ${condition} order by batch.batch_index, listed.position limit $4`,
    [page.userId, page.messageId, page.after, page.limit],
  );
  return rows;
}

/** The recipients whose delivery row has one of the states, in order of position. */
export async function selectNumbersInStates(
  db: Queryable,
  key: { userId: string; messageId: string },
  states: readonly (keyof typeof deliveryStates)[],
): Promise<{ phoneNos: number[]; positions: number[] }> {
  const { rows } = await db.query<{ phoneNos: number[]; positions: number[] }>(
    `select coalesce(array_agg(phone_no order by position), '{}') as "phoneNos",
       coalesce(array_agg(position order by position), '{}') as positions
     from delivery where user_id = $1 and message_id = $2 and state = any ($3::smallint[])`,
    [key.userId, key.messageId, states.map((state) => deliveryStates[state])],
  );
  return rows[0] ?? { phoneNos: [], positions: [] };
}

/** How many recipients of a merged message pay how many pages, the fewest pages first; without those on the do-not-disturb list and the like. */
export async function countRecipientsByPages(
  db: Queryable,
  key: { userId: string; messageId: string },
): Promise<{ pages: number; count: number }[]> {
  const { rows } = await db.query<{ pages: number; count: number }>(
    `select own.pages, count(*)::integer as count
     from message_batch batch cross join lateral unnest(batch.page_counts) with ordinality as own (pages, number)
     where batch.user_id = $1 and batch.message_id = $2 and (own.number - 1)::smallint <> all (batch.skipped)
     group by own.pages order by own.pages`,
    [key.userId, key.messageId],
  );
  return rows;
}

export async function findMessageReference(
  db: Queryable,
  key: { userId: string; messageId: string },
): Promise<{ reference: string | null; isMerged: boolean } | undefined> {
  const { rows } = await db.query<{ reference: string | null; isMerged: boolean }>({
    name: "message-reference",
    text: `select reference, is_merged as "isMerged" from message where user_id = $1 and message_id = $2`,
    values: [key.userId, key.messageId],
  });
  return rows[0];
}

export type BatchMerge = { batchIndex: number; mergeValues: string; pageCounts: number[] };

/** What the texts of some batches of a merged message are made of, in order; those whose texts are no longer kept are missing. */
export async function selectBatchMerges(
  db: Queryable,
  key: { userId: string; messageId: string },
  batchIndexes: readonly number[],
): Promise<BatchMerge[]> {
  const { rows } = await db.query<BatchMerge>(
    `select batch_index as "batchIndex", merge_values as "mergeValues", page_counts as "pageCounts" from message_batch
     where user_id = $1 and message_id = $2 and batch_index = any ($3::integer[]) and merge_values is not null order by batch_index`,
    [key.userId, key.messageId, batchIndexes],
  );
  return rows;
}

/** The numbers of some batches in order, with what their texts are made of; no numbers where they are no longer kept, null for one that was erased. */
export async function selectBatchNumbers(
  db: Queryable,
  key: { userId: string; messageId: string },
  { first, count }: { first: number; count: number },
): Promise<{ recipients: (number | null)[]; mergeValues: string | null }[]> {
  const { rows } = await db.query<{ recipients: (number | null)[]; mergeValues: string | null }>(
    `select recipients, merge_values as "mergeValues" from message_batch
     where user_id = $1 and message_id = $2 and batch_index >= $3 and batch_index < $3 + $4 order by batch_index`,
    [key.userId, key.messageId, first, count],
  );
  return rows;
}
