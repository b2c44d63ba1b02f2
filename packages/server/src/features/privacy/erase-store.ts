/**
 * All SQL of an account's erasure: what goes of each table that says whose its rows are. A test compares the lists with the schema, so that no table
 * is forgotten.
 */
import type { Queryable } from "../../db/pool.ts";
import type { Tx } from "../../db/transaction.ts";
import { ERASED_CONTENT_TYPE, fileNameOf } from "../../files/index.ts";

const ROWS_AT_A_TIME = 1_000;

/** A table, and what tells its rows of one customer apart. */
export type OwnedRows = { table: string; key: string };

const rowsOf = (table: string, key: string): OwnedRows => ({ table, key });

/** What goes as a whole, in this order: rows that others name come after those. */
export const ROWS_OF_CUSTOMERS: readonly OwnedRows[] = [
  rowsOf("contact_sheet", "catalog_id, sheet_no"),
  rowsOf("catalog", "catalog_id"),
  rowsOf("auto_top_up", "user_id"),
  rowsOf("wrong_rows", "wrong_rows_id"),
  rowsOf("draft", "draft_id"),
  rowsOf("message_template", "template_id"),
  rowsOf("sender_name", "name"),
  rowsOf("approved_address", "address"),
  rowsOf("whitelist_request", "request_id"),
  rowsOf("inbox_reply", "message_id"),
  rowsOf("conversation", "from_address"),
  rowsOf("inbox_message", "inbound_id"),
  rowsOf("inbound_number", "number_id"),
  rowsOf("opt_out_answer", "phone_no"),
  rowsOf("opt_out", "phone_no"),
  rowsOf("verification", "verification_id"),
  rowsOf("twilio_callback", "message_id, callback_id"),
  rowsOf("twilio_message", "message_id"),
  rowsOf("smpp_bind", "bind_id"),
  rowsOf("smpp_part", "set_id, part_number"),
  rowsOf("smpp_part_set", "set_id"),
  rowsOf("smpp_delivery", "delivery_id"),
  rowsOf("smpp_submit", "submit_id"),
  rowsOf("smpp_pace", "key_id"),
  rowsOf("webhook_attempt", "endpoint_id, attempt_id"),
  rowsOf("webhook_delivery", "endpoint_id, event_id"),
  rowsOf("webhook_event", "event_id"),
  rowsOf("webhook_finish", "message_id"),
  rowsOf("webhook_endpoint", "endpoint_id"),
  rowsOf("report_feed", "follower, feed_id"),
  rowsOf("program_call", "call_id"),
  rowsOf("program_usage", "key_id, day"),
  rowsOf("api_key", "key_id"),
  rowsOf("account_access", "access_id"),
  rowsOf("announcement_dismissal", "announcement_id"),
  rowsOf("notification", "user_id"),
  rowsOf("weekly_mail", "week"),
  rowsOf("result_count", "subject"),
  rowsOf("message_breakdown", "message_id"),
  rowsOf("account_member", "member_id"),
  rowsOf("privacy_request", "request_id"),
];

/** What stays: money, counts, and rows whose names and numbers are taken out of them. */
export const KEPT_OF_CUSTOMERS: readonly string[] = [
  "app_user",
  "ledger_account",
  "ledger_seal",
  "hold",
  "journal",
  "journal_entry",
  "card_payment",
  "card_payment_claim",
  "deposit",
  "invoice",
  "credit_note",
  "virtual_account",
  "account_transfer",
  "stored_file",
  "customer_price",
  "customer_count",
  "customer_day",
  "customer_turn",
  "margin_hour",
  "daily_cap",
  "unit_use",
  "message",
  "message_count",
  "message_batch",
  "delivery",
  "delivery_part",
  "delivery_unknown",
  "link_block",
  "link_click",
  "link_click_total",
];

export async function selectClosedBefore(db: Queryable, before: Date): Promise<{ userId: string }[]> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from app_user
     where closed_at <= $1 and erased_at is null and blocked_at is not null order by closed_at`,
    [before],
  );
  return rows;
}

/** @returns false when an administrator has opened the account again. */
export async function beginErasing(db: Queryable, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update app_user set erasing_at = coalesce(erasing_at, $2)
     where user_id = $1 and closed_at is not null and blocked_at is not null and erased_at is null`,
    [userId, now],
  );
  return rowCount === 1;
}

/** @returns how many rows went; 0 when none is left. */
export async function deleteRows(db: Queryable, { table, key }: OwnedRows, userId: string): Promise<number> {
  const { rowCount } = await db.query(
    `delete from ${table} where user_id = $1
       and (${key}) in (select ${key} from ${table} where user_id = $1 limit ${ROWS_AT_A_TIME})`,
    [userId],
  );
  return rowCount ?? 0;
}

export async function selectFileNames(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ fileId: string; extension: string }>(
    `select file_id as "fileId", extension from stored_file where user_id = $1`,
    [userId],
  );
  return rows.map(fileNameOf);
}

/** The records of money keep amounts, times and references. */
export async function eraseMoneyNames(db: Queryable, userId: string): Promise<void> {
  await db.query(
    "update deposit set depositor_name = '', phone_no = '', teller_id = '', reason = '' where user_id = $1",
    [userId],
  );
  await db.query("update stored_file set content_type = $2 where user_id = $1", [userId, ERASED_CONTENT_TYPE]);
  await db.query("update virtual_account set account_name = '' where user_id = $1 and account_name is not null", [
    userId,
  ]);
  await db.query("update invoice set buyer_name = '', buyer_email = '' where user_id = $1", [userId]);
  await db.query(
    `update approval set subject_email = '', what = 'Erased', details = '{}' where subject_id = $1 and state <> 'waiting'`,
    [userId],
  );
}

/** @returns false when another run has ended it. */
export async function endErasing(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query("update app_user set erased_at = $2 where user_id = $1 and erased_at is null", [
    userId,
    now,
  ]);
  return rowCount === 1;
}

/** Everything that names the customer or lets them in. Their e-mail is free for another account. */
export async function erasePerson(tx: Tx, userId: string): Promise<void> {
  const { rows } = await tx.query<{ email: string }>("select email from app_user where user_id = $1", [userId]);
  for (const { email } of rows) {
    await tx.query("delete from mail where recipient = $1", [email]);
    await tx.query("update sandbox_transaction set email = '' where email = $1", [email]);
  }
  await tx.query(
    `update app_user set user_name = 'Erased', full_name = 'Erased account', email = user_id || '@erased.invalid', phone_no = '',
       password_hash = '', last_sign_in_at = null
     where user_id = $1`,
    [userId],
  );
  await tx.query("delete from account_member where person_id = $1", [userId]);
  await tx.query("delete from session where actor_id = $1 or account_id = $1", [userId]);
  for (const table of ["known_device", "second_factor", "recovery_code", "passkey"] as const)
    await tx.query(`delete from ${table} where kind = 'user' and actor_id = $1`, [userId]);
  await tx.query("delete from one_time_token where actor_id = $1", [userId]);
  await tx.query("delete from idempotent_answer where actor_id = $1", [userId]);
}
