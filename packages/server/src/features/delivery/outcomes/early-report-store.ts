/** All SQL about reports that match nothing yet. */
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { PossibleText } from "../carriers/carrier.ts";
import { ownPrice } from "./report-store.ts";
import { numberArray, storableText, textArray } from "../../../db/sql-array.ts";

export type EarlyReport = {
  carrierId: number;
  key: string;
  state: string;
  errorCode: string;
  phoneNo: number | undefined;
  senderName: string;
  possibleText: PossibleText | undefined;
};

export async function insertEarlyReports(tx: Tx, reports: EarlyReport[], firstTryMs: number): Promise<void> {
  await tx.query(
    `insert into early_report (carrier_id, carrier_key, state, error_code, phone_no, sender_name, possible_text, received_at, next_try_at)
     select carrier_id, carrier_key, state, error_code, nullif(phone_no, 0), sender_name, possible_text, now(),
       now() + make_interval(secs => $8::double precision / 1000)
     from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::jsonb[])
       as new (carrier_id, carrier_key, state, error_code, phone_no, sender_name, possible_text)`,
    [
      numberArray(reports.map((report) => report.carrierId)),
      textArray(reports.map((report) => report.key)),
      textArray(reports.map((report) => report.state)),
      textArray(reports.map((report) => report.errorCode)),
      numberArray(reports.map((report) => report.phoneNo ?? 0)),
      textArray(reports.map((report) => report.senderName)),
      reports.map(({ possibleText: text }) =>
        text === undefined ? null : JSON.stringify({ ...text, body: storableText(text.body) }),
      ),
      firstTryMs,
    ],
  );
}

export type StoredReport = {
  reportId: number;
  carrierId: number;
  carrierName: string | null;
  key: string;
  state: string;
  errorCode: string;
  phoneNo: number | null;
  senderName: string;
  possibleText: PossibleText | null;
  /** By the clock as it is now: see `lockDueEarlyReports`. */
  receivedAt: Date;
  /** When this try was due. */
  ageMs: number;
};

export async function hasDueEarlyReports(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: "early-reports-due",
    text: "select 1 from early_report where next_try_at <= now() order by next_try_at limit 1",
  });
  return rows.length > 0;
}

/**
 * Locks the due ones; another worker takes others. How late a try is does not make a report older: no worker ran, or the server's clock was put
 * ahead, and what the report is about may be about to be recorded.
 */
export async function lockDueEarlyReports(tx: Tx, limit: number): Promise<StoredReport[]> {
  const { rows } = await tx.query<StoredReport>(
    `select report_id as "reportId", carrier_id as "carrierId", carrier_key as key, state, error_code as "errorCode",
       (select name from carrier where carrier.carrier_id = early_report.carrier_id) as "carrierName",
       phone_no as "phoneNo", sender_name as "senderName", possible_text as "possibleText",
       received_at + (now() - next_try_at) as "receivedAt", (extract(epoch from next_try_at - received_at) * 1000)::bigint as "ageMs"
     from early_report where next_try_at <= now() order by next_try_at limit $1 for update skip locked`,
    [limit],
  );
  return rows;
}

export async function deleteEarlyReports(tx: Tx, reportIds: number[]): Promise<void> {
  await tx.query("delete from early_report where report_id = any ($1::bigint[])", [numberArray(reportIds)]);
}

/** @param later when each is tried again, in milliseconds from now. */
export async function postponeEarlyReports(tx: Tx, later: { reportId: number; afterMs: number }[]): Promise<void> {
  await tx.query(
    `update early_report set next_try_at = now() + make_interval(secs => later.after_ms / 1000.0),
       received_at = received_at + (now() - next_try_at)
     from unnest($1::bigint[], $2::bigint[]) as later (report_id, after_ms) where early_report.report_id = later.report_id`,
    [numberArray(later.map((entry) => entry.reportId)), numberArray(later.map((entry) => entry.afterMs))],
  );
}

/** Whether a batch waits to be looked at whose recipients may turn out to be unknown: a dead worker's, or one that is held after a restore. */
export async function hasDirtyBatches(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query("select 1 from message_batch where is_dirty and state + 0 < 3 limit 1");
  return rows.length > 0;
}

export type TakenUnknown = {
  reportId: number;
  userId: string;
  messageId: string;
  position: number;
  phoneNo: number;
  holdId: string | null;
  priceMilli: number;
  followers: number;
};

/**
 * Finds the unknown delivery that a report is about: same number, same sender, handed over before the report came. Of
 * several the oldest. Both rows are taken: the report is used up, the delivery is no longer unknown.
 */
export async function takeUnknownFor(
  tx: Tx,
  reports: { reportId: number; phoneNo: number; senderName: string; receivedAt: Date }[],
): Promise<TakenUnknown[]> {
  const { rows: found } = await tx.query<UnknownKey & { reportId: number }>(
    `select distinct on (asked.report_id) asked.report_id as "reportId", user_id as "userId", message_id as "messageId", position
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[]) as asked (report_id, phone_no, sender_name, latest_at)
       join delivery_unknown own on own.phone_no = asked.phone_no
     where (asked.sender_name = '' or lower(own.sender_name) = lower(asked.sender_name)) and own.handed_over_at <= asked.latest_at
     order by asked.report_id, own.handed_over_at`,
    [
      numberArray(reports.map((report) => report.reportId)),
      numberArray(reports.map((report) => report.phoneNo)),
      textArray(reports.map((report) => report.senderName)),
      reports.map((report) => new Date(report.receivedAt.getTime() + CLOCK_MARGIN_MS)),
    ],
  );
  // Two reports of one delivery in one go: the first settles it, the other is tried again by its key.
  const reportIds = new Map<string, number>();
  for (const { reportId, messageId, position } of found)
    if (!reportIds.has(`${messageId}:${position}`)) reportIds.set(`${messageId}:${position}`, reportId);
  return (await takeUnknown(tx, found)).flatMap((row) => {
    const reportId = reportIds.get(`${row.messageId}:${row.position}`);
    return reportId === undefined ? [] : [{ ...row, reportId }];
  });
}

/** How far the carrier's and our machines' clocks may be apart. */
const CLOCK_MARGIN_MS = 5 * 60_000;

type UnknownKey = { userId: string; messageId: string; position: number };

/**
 * Takes unknown deliveries that were found without a lock, customer by customer in one order, because a cluster locks rows of one customer at
 * a time. What another worker has or had is passed over.
 */
async function takeUnknown(tx: Tx, found: readonly UnknownKey[]): Promise<Omit<TakenUnknown, "reportId">[]> {
  const byCustomer = [...Map.groupBy(found, ({ userId }) => userId)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const taken: Omit<TakenUnknown, "reportId">[] = [];
  for (const [userId, keys] of byCustomer) {
    const { rows } = await tx.query<Omit<TakenUnknown, "reportId">>(
      `with locked as (
         select message_id, position from delivery_unknown
         where user_id = $1 and (message_id, position) in (select * from unnest($2::uuid[], $3::integer[]))
         order by message_id, position for update skip locked
       ), taken as (
         delete from delivery_unknown own using locked
         where own.user_id = $1 and own.message_id = locked.message_id and own.position = locked.position
         returning own.message_id, own.position, own.phone_no
       )
       select user_id as "userId", message_id as "messageId", position, phone_no as "phoneNo", hold_id as "holdId", followers, ${ownPrice("$1")}
       from taken join message using (message_id) where user_id = $1`,
      [userId, keys.map(({ messageId }) => messageId), numberArray(keys.map(({ position }) => position))],
    );
    taken.push(...rows);
  }
  return taken;
}

export type SettledColumns = {
  userIds: string[];
  messageIds: string[];
  positions: number[];
  states: number[];
  keys: (string | null)[];
  carrierIds: number[];
  errorCodes: (string | null)[];
};

/** Writes what became of deliveries that were unknown. */
export async function updateSettled(tx: Tx, settled: SettledColumns): Promise<void> {
  await tx.query(
    `update delivery own set state = now_known.state, carrier_key = now_known.carrier_key, carrier_id = now_known.carrier_id,
       error_code = now_known.error_code, updated_at = now()
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::smallint[], $5::text[], $6::smallint[], $7::text[])
       as now_known (user_id, message_id, position, state, carrier_key, carrier_id, error_code)
     where own.user_id = now_known.user_id and own.message_id = now_known.message_id and own.position = now_known.position`,
    [
      textArray(settled.userIds),
      textArray(settled.messageIds),
      numberArray(settled.positions),
      numberArray(settled.states),
      textArray(settled.keys),
      numberArray(settled.carrierIds),
      textArray(settled.errorCodes),
    ],
  );
}

export async function hasReleasable(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: "releasable-due",
    text: "select 1 from delivery_unknown where release_at <= now() order by release_at limit 1",
  });
  return rows.length > 0;
}

/** Takes unknown deliveries whose carrier must have given up on them by now. */
export async function takeReleasable(tx: Tx, limit: number): Promise<Omit<TakenUnknown, "reportId">[]> {
  const { rows } = await tx.query<UnknownKey>(
    `select user_id as "userId", message_id as "messageId", position from delivery_unknown where release_at <= now()
     order by release_at limit $1`,
    [limit],
  );
  return await takeUnknown(tx, rows);
}

/** @returns the smallest id of the messages that were started after `since`, and a day or more after they were accepted. */
export async function selectOldestLateStart(db: Queryable, since: Date): Promise<string | undefined> {
  const { rows } = await db.query<{ messageId: string }>(
    `select message_id as "messageId" from message
     where state <> 0 and state_at - created_at > interval '24 hours' and state_at >= $1
     order by message_id limit 1`,
    [since],
  );
  return rows[0]?.messageId;
}
