/** All SQL about reports of carriers over HTTP that no worker has recorded yet. */
import type { Queryable } from "../../../../db/pool.ts";
import { numberArray, textArray } from "../../../../db/sql-array.ts";
import type { ReportState } from "../carrier.ts";
import type { HttpReport } from "./read-http-report.ts";

export async function insertHttpReports(
  db: Queryable,
  reports: readonly (HttpReport & { carrierId: number })[],
): Promise<void> {
  await db.query({
    name: "store-http-reports",
    text: `insert into carrier_report (carrier_id, carrier_key, state, error_code, phone_no, sender_name, due_at)
      select carrier_id, carrier_key, state, error_code, nullif(phone_no, 0), sender_name, now()
      from unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
        as told (carrier_id, carrier_key, state, error_code, phone_no, sender_name)`,
    values: [
      numberArray(reports.map(({ carrierId }) => carrierId)),
      textArray(reports.map(({ key }) => key)),
      textArray(reports.map(({ state }) => state)),
      textArray(reports.map(({ errorCode }) => errorCode)),
      numberArray(reports.map(({ phoneNo }) => phoneNo ?? 0)),
      textArray(reports.map(({ senderName }) => senderName)),
    ],
  });
}

export type StoredHttpReport = {
  reportId: number;
  carrierId: number;
  carrierName: string;
  key: string;
  state: ReportState;
  errorCode: string;
  phoneNo: number | null;
  senderName: string;
};

/** @param look againMs: what is taken and not deleted by then is due again, for any worker. */
export async function takeDueHttpReports(
  db: Queryable,
  look: { limit: number; againMs: number },
): Promise<StoredHttpReport[]> {
  const { rows } = await db.query<StoredHttpReport>({
    name: "take-http-reports",
    text: `with due as (
        select report_id from carrier_report where due_at <= now() order by due_at limit $1 for update skip locked
      ), taken as (
        update carrier_report own set due_at = now() + make_interval(secs => $2::double precision / 1000)
        from due where own.report_id = due.report_id returning own.*
      )
      select report_id as "reportId", carrier_id as "carrierId", carrier.name as "carrierName", carrier_key as key, state,
        error_code as "errorCode", phone_no as "phoneNo", sender_name as "senderName"
      from taken join carrier using (carrier_id) order by report_id`,
    values: [look.limit, look.againMs],
  });
  return rows;
}

export async function deleteHttpReports(db: Queryable, reportIds: readonly number[]): Promise<void> {
  await db.query({
    name: "delete-http-reports",
    text: "delete from carrier_report where report_id = any ($1::bigint[])",
    values: [numberArray(reportIds)],
  });
}
