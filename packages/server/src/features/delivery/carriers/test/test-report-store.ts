/** All SQL about the delivery reports that the carrier of tests owes. */
import type { Queryable } from "../../../../db/pool.ts";

export type OwedReport = { carrierKey: string; phoneNo: number; senderName: string };

export async function insertReports(
  db: Queryable,
  reports: readonly (OwedReport & { afterMs: number })[],
): Promise<void> {
  await db.query({
    name: "owe-test-reports",
    text: `insert into test_report (carrier_key, phone_no, sender_name, due_at)
      select key, phone_no, sender_name, now() + make_interval(secs => after_ms / 1000)
      from unnest($1::text[], $2::bigint[], $3::text[], $4::double precision[]) as owed (key, phone_no, sender_name, after_ms)`,
    values: [
      reports.map(({ carrierKey }) => carrierKey),
      reports.map(({ phoneNo }) => phoneNo),
      reports.map(({ senderName }) => senderName),
      reports.map(({ afterMs }) => afterMs),
    ],
  });
}

/** @param look againMs: what is taken and not deleted by then is due again, for any worker. */
export async function takeDueReports(db: Queryable, look: { limit: number; againMs: number }): Promise<OwedReport[]> {
  const { rows } = await db.query<OwedReport>({
    name: "take-test-reports",
    text: `with due as (
        select carrier_key from test_report where due_at <= now() order by due_at limit $1 for update skip locked
      )
      update test_report own set due_at = now() + make_interval(secs => $2::double precision / 1000)
      from due where own.carrier_key = due.carrier_key
      returning own.carrier_key as "carrierKey", own.phone_no as "phoneNo", own.sender_name as "senderName"`,
    values: [look.limit, look.againMs],
  });
  return rows;
}

export async function deleteReports(db: Queryable, carrierKeys: readonly string[]): Promise<void> {
  await db.query("delete from test_report where carrier_key = any ($1::text[])", [carrierKeys]);
}
