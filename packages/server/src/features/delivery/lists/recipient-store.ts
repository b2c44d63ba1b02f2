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
  isCancelled: boolean;
  /** No recipient of the batch waits: one without a row belongs to a month whose partition was dropped. */
  isDone: boolean;
  updatedAt: Date;
};

type Page = { userId: string; messageId: string; after: number; limit: number };

const size = deliveryLimits.batchRecipientsMax;

/** The numbers of the batches that $3 (a position) and later ones lie in, each with its delivery row if it has one. */
const selectListed = `
  select listed.position, listed.phone_no as "phoneNo", own.state, own.error_code as "errorCode", listed.is_skipped as "isSkipped",
    batch.state = ${batchStates.cancelled} as "isCancelled", batch.state = ${batchStates.done} as "isDone",
    coalesce(own.updated_at, message.state_at) as "updatedAt"
  from message
  join message_batch batch using (user_id, message_id)
  cross join lateral (
    select batch.batch_index * ${size} + number.place::integer - 1 as position, number.phone_no,
      (number.place - 1)::smallint = any (batch.skipped) as is_skipped
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
    `select position, phone_no as "phoneNo", state, error_code as "errorCode", false as "isSkipped", false as "isCancelled", true as "isDone",
       updated_at as "updatedAt"
     from delivery where user_id = $1 and message_id = $2 and position > $3 and state = $5
     order by position limit $4`,
    [page.userId, page.messageId, page.after, page.limit, deliveryStates[page.state]],
  );
  return rows;
}

/** Recipients without a delivery row: those that wait, those that were cancelled, or those skipped as DND. */
export async function selectRecipientsWithoutRow(
  db: Queryable,
  page: Page & { state: Extract<RecipientState, "waiting" | "cancelled" | "dnd"> },
): Promise<RecipientRow[]> {
  const condition = {
    waiting: `batch.state in (${batchStates.held}, ${batchStates.ready}, ${batchStates.leased}) and own.state is null and not listed.is_skipped`,
    cancelled: `batch.state = ${batchStates.cancelled} and own.state is null and not listed.is_skipped`,
    dnd: "batch.skipped <> '{}' and listed.is_skipped",
  }[page.state];
  const { rows } = await db.query<RecipientRow>(
    `${selectListed} and ${condition} order by batch.batch_index, listed.position limit $4`,
    [page.userId, page.messageId, page.after, page.limit],
  );
  return rows;
}

/** The numbers of recipients whose delivery row has one of the states, in order of position, comma-separated; empty for none. */
export async function selectNumbersInStates(
  db: Queryable,
  key: { userId: string; messageId: string },
  states: readonly (keyof typeof deliveryStates)[],
): Promise<string> {
  const { rows } = await db.query<{ phoneNos: string }>(
    `select coalesce(string_agg(phone_no::text, ',' order by position), '') as "phoneNos"
     from delivery where user_id = $1 and message_id = $2 and state = any ($3::smallint[])`,
    [key.userId, key.messageId, states.map((state) => deliveryStates[state])],
  );
  return rows[0]?.phoneNos ?? "";
}
