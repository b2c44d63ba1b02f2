/** All SQL of exports: the requests, and what stands in the files. */
import type { Queryable } from "../../db/pool.ts";
import { deliveryStateWords } from "../delivery/index.ts";

export type DataExport = {
  requestId: string;
  userId: string;
  state: "waiting" | "done" | "failed";
  createdAt: Date;
  doneAt: Date | null;
  fileId: string | null;
  byteCount: number | null;
};

const COLUMNS = `request_id as "requestId", user_id as "userId", state, created_at as "createdAt", done_at as "doneAt", file_id as "fileId",
  byte_count as "byteCount"`;

/** @returns false while one is being made. */
export async function insertExport(
  tx: Queryable,
  request: { requestId: string; userId: string; askedBy: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into privacy_request (request_id, kind, user_id, asked_by, created_at) values ($1, 'export', $2, $3, $4) on conflict do nothing`,
    [request.requestId, request.userId, request.askedBy, request.now],
  );
  return rowCount === 1;
}

/** Gives up exports that no worker has finished in time, so that another may be asked for. */
export async function giveUpExports(db: Queryable, userId: string, askedBefore: Date): Promise<void> {
  await db.query(
    `update privacy_request set state = 'failed' where kind = 'export' and user_id = $1 and state = 'waiting' and created_at < $2`,
    [userId, askedBefore],
  );
}

export async function findExport(db: Queryable, requestId: string): Promise<DataExport | undefined> {
  const { rows } = await db.query<DataExport>(
    `select ${COLUMNS} from privacy_request where request_id = $1 and kind = 'export'`,
    [requestId],
  );
  return rows[0];
}

export async function findNewestExport(db: Queryable, userId: string): Promise<DataExport | undefined> {
  const { rows } = await db.query<DataExport>(
    `select ${COLUMNS} from privacy_request where kind = 'export' and user_id = $1 order by created_at desc limit 1`,
    [userId],
  );
  return rows[0];
}

/** @returns false when another run has ended it. */
export async function endExport(
  tx: Queryable,
  end: { requestId: string; fileId: string; byteCount: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update privacy_request set state = 'done', file_id = $2, byte_count = $3, done_at = $4 where request_id = $1 and state = 'waiting'`,
    [end.requestId, end.fileId, end.byteCount, end.now],
  );
  return rowCount === 1;
}

/** @returns false when the session has loaded the file already. */
export async function noteDownload(
  db: Queryable,
  download: { requestId: string; sessionId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into export_download (request_id, session_id, downloaded_at) values ($1, $2, $3) on conflict do nothing`,
    [download.requestId, download.sessionId, download.now],
  );
  return rowCount === 1;
}

/** Takes requests away that are over, and lets their files go. */
export async function deleteOldExports(tx: Queryable, before: Date): Promise<number> {
  const { rows } = await tx.query<{ userId: string; fileId: string | null }>(
    `delete from privacy_request where kind = 'export' and state <> 'waiting' and created_at < $1
     returning user_id as "userId", file_id as "fileId"`,
    [before],
  );
  for (const { userId, fileId } of rows)
    if (fileId !== null)
      await tx.query("update stored_file set kept_at = null where user_id = $1 and file_id = $2", [userId, fileId]);
  return rows.length;
}

/** One file of an export, in CSV and in JSON, a line for each row. */
type Part = { name: string; query: (userId: string, text: (column: string) => string) => string };

const stateWords = Object.entries(deliveryStateWords)
  .map(([word, number]) => `when ${number} then '${word}'`)
  .join(" ");

/**
 * What a customer's export holds. A query is given as text, because COPY takes no parameters: the id is one of our own. `text` wraps what people
 * wrote; a spreadsheet must not run it.
 */
const PARTS: readonly Part[] = [
  {
    name: "account",
    query: (
      id,
      text,
    ) => `select ${text("user_name")} as user_name, ${text("full_name")} as full_name, email, phone_no, created_at, verified_at, last_sign_in_at,
      approval_above, may_send_transactional from app_user where user_id = '${id}'`,
  },
  {
    name: "members",
    query: (id) => `select email, role, created_at, joined_at from account_member where user_id = '${id}'`,
  },
  {
    name: "contacts",
    query: (id, text) => `select ${text("catalog.name")} as catalog, catalog.code, own.phone_no,
      (select jsonb_object_agg(field, known -> (own.place::integer - 1)) from jsonb_each(contact_sheet.fields) as each_field (field, known)) as fields
      from contact_sheet join catalog using (user_id, catalog_id)
      cross join lateral unnest(string_to_array(contact_sheet.phone_nos, ',')) with ordinality as own (phone_no, place)
      where contact_sheet.user_id = '${id}'`,
  },
  {
    name: "messages",
    query: (
      id,
      text,
    ) => `select message_id, message.created_at, send_at, ${text("sender_name")} as sender_name, ${text("body")} as message, code, page_count,
      message.recipient_count, price_milli / 1000.0 as units_per_recipient, is_test, reference, origin, waiting, sent, delivered, failed, dnd, unknown, cancelled,
      opted_out from message join message_count using (user_id, message_id) where message.user_id = '${id}'`,
  },
  {
    name: "recipients",
    query: (
      id,
    ) => `select batch.message_id, own.phone_no, case when (own.place - 1)::smallint = any (batch.opted_out_offsets) then 'optedOut'
        when (own.place - 1)::smallint = any (batch.skipped) then 'dnd' else case delivery.state ${stateWords} else case batch.state when 3 then 'notKept' when 4 then 'cancelled' else 'waiting' end end end as state,
      delivery.error_code, delivery.submitted_at, delivery.updated_at, batch.merge_values::jsonb -> 'rows' -> (own.place::integer - 1) as own_values
      from message_batch batch cross join lateral unnest(batch.recipients) with ordinality as own (phone_no, place)
      left join delivery on delivery.user_id = '${id}' and delivery.message_id = batch.message_id
        and delivery.position = batch.batch_index * 500 + own.place - 1
      where batch.user_id = '${id}'`,
  },
  {
    name: "drafts",
    query: (
      id,
      text,
    ) => `select draft_id, created_at, updated_at, ${text("sender_name")} as sender_name, ${text("message")} as message, code, ${text("phone_no")} as phone_no,
      recipients from draft where user_id = '${id}'`,
  },
  {
    name: "templates",
    query: (id, text) =>
      `select ${text("name")} as name, ${text("message")} as message, created_at, updated_at from message_template where user_id = '${id}'`,
  },
  {
    name: "inbox",
    query: (id, text) =>
      `select received_at, from_address, to_address, ${text("body")} as message, keyword from inbox_message where user_id = '${id}'`,
  },
  {
    name: "opt-outs",
    query: (id) => `select phone_no, source, created_at from opt_out where user_id = '${id}'`,
  },
  {
    name: "sender-names",
    query: (id) => `select name, created_at from sender_name where user_id = '${id}'`,
  },
  {
    name: "statement",
    query: (id, text) =>
      `select created_at, cause, ${text("reference")} as reference, amount_milli / 1000.0 as units, is_final from ledger_movement where user_id = '${id}'`,
  },
  {
    name: "card-payments",
    query: (id) =>
      `select reference, units, total_kobo / 100.0 as naira, state, channel, created_at, paid_at from card_payment where user_id = '${id}'`,
  },
  {
    name: "deposits",
    query: (
      id,
      text,
    ) => `select deposit_id, ${text("depositor_name")} as depositor_name, amount_kobo / 100.0 as naira, phone_no, ${text("teller_id")} as teller_id, transaction_date,
      ${text("bank")} as bank, state, ${text("reason")} as reason, created_at, decided_at from deposit where user_id = '${id}'`,
  },
  {
    name: "invoices",
    query: (
      id,
      text,
    ) => `select year, number, kind, reference, gross_kobo / 100.0 as gross, net_kobo / 100.0 as net, vat_kobo / 100.0 as vat,
      ${text("buyer_name")} as buyer_name, buyer_email, issued_at from invoice where user_id = '${id}'`,
  },
  {
    name: "api-keys",
    query: (id, text) =>
      `select ${text("name")} as name, kind, mode, scopes, addresses, created_at, last_used_at, last_used_from, expires_at from api_key where user_id = '${id}'`,
  },
  {
    name: "webhooks",
    query: (id, text) =>
      `select ${text("url")} as url, is_on, created_at from webhook_endpoint where user_id = '${id}'`,
  },
  {
    name: "sessions",
    query: (
      id,
      text,
    ) => `select created_at, last_active_at, client_address, ${text("user_agent")} as user_agent from session
      where kind = 'user' and actor_id = '${id}' and acting_admin_id is null`,
  },
  {
    name: "account-access",
    query: (id, text) =>
      `select admin_name, ${text("reason")} as reason, began_at, ends_at from account_access where user_id = '${id}'`,
  },
  {
    name: "audit",
    query: (id) => `select action, created_at, before, after from audit_entry where subject_id = '${id}'`,
  },
];

export type ExportFile = { name: string; copy: string };

/** A spreadsheet would run what begins like a formula. */
const safe = (column: string): string =>
  `case when ${column} ~ '^[=+@\\t\\r-]' then '''' || ${column} else ${column} end`;

/** The files of an export, and the statements that write them. @param userId an id of ours. */
export function filesOfExport(userId: string): ExportFile[] {
  return PARTS.flatMap(({ name, query }) => [
    { name: `${name}.csv`, copy: `copy (${query(userId, safe)}) to stdout with (format csv, header, force_quote *)` },
    {
      name: `${name}.jsonl`,
      // Neither character is in JSON, which writes control characters as escapes: the lines come out as they are.
      copy: `copy (select row_to_json(line) from (${query(userId, (column) => column)}) as line) to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`,
    },
  ]);
}
