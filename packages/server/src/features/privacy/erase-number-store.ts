/** All SQL that erases one number of everybody. Customer by customer, so that each statement concerns one and stays small. */
import type { Queryable } from "../../db/pool.ts";

export type NumberErasure = { requestId: string; phoneNo: number; afterId: string | null };

/** @returns false while the number is being erased already. */
export async function insertErasure(
  tx: Queryable,
  erasure: { requestId: string; phoneNo: number; askedBy: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into privacy_request (request_id, kind, asked_by, phone_no, created_at) values ($1, 'erase-number', $2, $3, $4)
     on conflict do nothing`,
    [erasure.requestId, erasure.askedBy, erasure.phoneNo, erasure.now],
  );
  return rowCount === 1;
}

export async function selectWaitingErasures(db: Queryable): Promise<NumberErasure[]> {
  const { rows } = await db.query<NumberErasure>(
    `select request_id as "requestId", phone_no as "phoneNo", after_id as "afterId" from privacy_request
     where kind = 'erase-number' and state = 'waiting' order by created_at`,
  );
  return rows;
}

/** @param afterId the customer up to whom the number is erased; null: from the first one again. */
export async function saveErasure(db: Queryable, requestId: string, afterId: string | null): Promise<void> {
  await db.query("update privacy_request set after_id = $2 where request_id = $1 and state = 'waiting'", [
    requestId,
    afterId,
  ]);
}

export async function endErasure(db: Queryable, requestId: string, now: Date): Promise<void> {
  await db.query(
    "update privacy_request set state = 'done', phone_no = null, done_at = $2 where request_id = $1 and state = 'waiting'",
    [requestId, now],
  );
}

export async function selectCustomersAfter(db: Queryable, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from app_user where $1::uuid is null or user_id > $1 order by user_id limit $2`,
    [after, limit],
  );
  return rows.map(({ userId }) => userId);
}

export type BatchPlace = {
  messageId: string;
  batchIndex: number;
  /** From 1; null where the number is not in the batch. */
  place: number | null;
  /** Somebody waits in it. */
  isOpen: boolean;
  mergeValues: string | null;
};

/** The next batches of a customer, in order, and where the number stands in each. */
export async function selectBatchPlaces(
  db: Queryable,
  page: { userId: string; phoneNo: number; afterMessage: string; afterBatch: number; limit: number },
): Promise<BatchPlace[]> {
  const { rows } = await db.query<BatchPlace>(
    `select message_id as "messageId", batch_index as "batchIndex", array_position(recipients, $5::bigint) as place,
       (state + 0) < 3 as "isOpen", case when $5::bigint = any (recipients) then merge_values end as "mergeValues"
     from message_batch where user_id = $1 and (message_id, batch_index) > ($2::uuid, $3::integer)
     order by message_id, batch_index limit $4`,
    [page.userId, page.afterMessage, page.afterBatch, page.limit, page.phoneNo],
  );
  return rows;
}

/** Takes a recipient out of a batch that nobody waits in: the number, what became of it, and what its own text was made of. */
export async function removeRecipient(
  tx: Queryable,
  key: { userId: string; messageId: string; batchIndex: number; place: number; position: number },
  mergeValues: string | null,
): Promise<void> {
  const { userId, messageId, batchIndex, place, position } = key;
  await tx.query(
    `update message_batch set recipients[$4::integer] = null, merge_values = $5
     where user_id = $1 and message_id = $2 and batch_index = $3 and (state + 0) >= 3`,
    [userId, messageId, batchIndex, place, mergeValues],
  );
  for (const table of ["delivery", "delivery_part"] as const)
    await tx.query(`delete from ${table} where user_id = $1 and message_id = $2 and position = $3`, [
      userId,
      messageId,
      position,
    ]);
}

export async function selectCatalogsHolding(db: Queryable, userId: string, phoneNo: string): Promise<string[]> {
  const { rows } = await db.query<{ catalogId: string }>(
    `select distinct catalog_id as "catalogId" from contact_sheet
     where user_id = $1 and position(',' || $2 || ',' in ',' || phone_nos || ',') > 0`,
    [userId, phoneNo],
  );
  return rows.map(({ catalogId }) => catalogId);
}

export type DraftNumbers = { draftId: string; code: string; phoneNo: string; recipients: string | null };

/** Drafts in which the last digits of the number stand, however it was written. */
export async function selectDraftsHolding(db: Queryable, userId: string, digits: string): Promise<DraftNumbers[]> {
  const { rows } = await db.query<DraftNumbers>(
    `select draft_id as "draftId", code, phone_no as "phoneNo", recipients from draft
     where user_id = $1 and (position($2 in phone_no) > 0 or position($2 in recipients) > 0)`,
    [userId, digits],
  );
  return rows;
}

export async function updateDraftNumbers(
  db: Queryable,
  userId: string,
  { draftId, phoneNo, recipients }: DraftNumbers,
): Promise<void> {
  await db.query("update draft set phone_no = $3, recipients = $4 where user_id = $1 and draft_id = $2", [
    userId,
    draftId,
    phoneNo,
    recipients,
  ]);
}

/** The inbox, codes and what came by Twilio's API. Opt-outs stay, because nothing else keeps the customer from sending there again. */
export async function deleteFurtherRows(db: Queryable, userId: string, phoneNo: number): Promise<void> {
  const address = String(phoneNo);
  await db.query("delete from conversation where user_id = $1 and from_address = $2", [userId, address]);
  await db.query("delete from inbox_message where user_id = $1 and from_address = $2", [userId, address]);
  await db.query("delete from inbox_reply where user_id = $1 and person_address = $2", [userId, address]);
  await db.query(
    "delete from verification where user_id = $1 and phone_no = $2 and phone_no / 100 = $2::bigint / 100",
    [userId, phoneNo],
  );
  await db.query(
    `delete from twilio_callback where user_id = $1 and message_id in (
       select message_id from twilio_message where user_id = $1 and mode in ('live', 'test') and phone_no = $2)`,
    [userId, phoneNo],
  );
  await db.query("delete from twilio_message where user_id = $1 and mode in ('live', 'test') and phone_no = $2", [
    userId,
    phoneNo,
  ]);
  await db.query("update opt_out set message_id = null where user_id = $1 and phone_no = $2", [userId, phoneNo]);
}

/** Messages from the phone that are nobody's, and reports that found no message. */
export async function deleteNobodysRows(db: Queryable, phoneNo: number): Promise<void> {
  await db.query("delete from inbound_message where from_address = $1", [String(phoneNo)]);
  await db.query("delete from inbound_part where from_address = $1", [String(phoneNo)]);
  await db.query("delete from early_report where phone_no = $1", [phoneNo]);
}
