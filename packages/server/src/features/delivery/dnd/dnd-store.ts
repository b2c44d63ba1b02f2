/** All SQL about the do-not-disturb list. */
import type { Queryable } from "../../../db/pool.ts";

export async function selectDndNumbers(db: Queryable, phoneNos: number[]): Promise<number[]> {
  const { rows } = await db.query<{ phoneNos: number[] }>(
    // One array comes back instead of a row per number: a third of the time for long lists.
    `select coalesce(array_agg(phone_no), '{}') as "phoneNos"
     from dnd_number join unnest($1::bigint[]) as asked (phone_no) using (phone_no)`,
    [`{${phoneNos.join(",")}}`],
  );
  return rows[0]?.phoneNos ?? [];
}

/** @returns how many numbers are listed, at most `max`. */
export async function countDndNumbers(db: Queryable, max: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: "dnd-count",
    text: "select count(*)::integer as count from (select from dnd_number limit $1) as listed",
    values: [max],
  });
  return rows[0]?.count ?? 0;
}

export async function insertDndNumbers(
  tx: Queryable,
  numbers: { phoneNos: number[]; source: string },
): Promise<number> {
  const { rows } = await tx.query(
    // In order of number, so that two who add the same numbers wait for each other and never deadlock. The rows are counted, as a
    // cluster's own count has those that were there already.
    `insert into dnd_number (phone_no, source)
     select distinct phone_no, $2 from unnest($1::bigint[]) as new (phone_no) order by phone_no
     on conflict do nothing returning phone_no`,
    [`{${numbers.phoneNos.join(",")}}`, numbers.source],
  );
  return rows.length;
}

/** What carriers' reports say: each number with the carrier that said so. */
export async function insertReportedDndNumbers(
  tx: Queryable,
  numbers: readonly { phoneNo: number; source: string }[],
): Promise<void> {
  await tx.query(
    // One statement whatever the carriers, in order of number, as above.
    `insert into dnd_number (phone_no, source)
     select distinct on (phone_no) phone_no, source from unnest($1::bigint[], $2::text[]) as new (phone_no, source) order by phone_no
     on conflict do nothing`,
    [numbers.map(({ phoneNo }) => phoneNo), numbers.map(({ source }) => source)],
  );
}

export async function deleteDndNumbers(tx: Queryable, phoneNos: number[]): Promise<number> {
  const { rowCount } = await tx.query("delete from dnd_number where phone_no = any ($1::bigint[])", [
    `{${phoneNos.join(",")}}`,
  ]);
  return rowCount ?? 0;
}

type DndRow = { phoneNo: number; source: string; addedAt: Date; at: string };

/** Newest first. @param page ranges of numbers; all when there are none. */
export async function selectDndPage(
  db: Queryable,
  page: { after: { at: string; phoneNo: number } | undefined; limit: number; ranges: { from: number; to: number }[] },
): Promise<DndRow[]> {
  // Spelled out, so that each range is a condition of the primary key.
  const inRanges = page.ranges
    .map(({ from, to }) => `phone_no between ${Math.trunc(from)} and ${Math.trunc(to)}`)
    .join(" or ");
  const { rows } = await db.query<DndRow>(
    `select phone_no as "phoneNo", source, added_at as "addedAt", to_char(added_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from dnd_number
     where ($1::timestamptz is null or (added_at, phone_no) < ($1::timestamptz, $2::bigint)) ${inRanges === "" ? "" : `and (${inRanges})`}
     order by added_at desc, phone_no desc limit $3`,
    [page.after?.at ?? null, page.after?.phoneNo ?? null, page.limit],
  );
  return rows;
}
