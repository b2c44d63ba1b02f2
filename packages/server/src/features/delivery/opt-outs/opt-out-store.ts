/** All SQL about who wants no more messages from a customer. */
import type { OptOutSource } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { DELIVERY_CHANNEL, OPT_OUT_PAYLOAD } from "../delivery-limits.ts";

/** Whether a customer has any: one look into the key, whatever the length of the list. */
export async function hasOptOuts(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: "has-opt-outs",
    text: "select from opt_out where user_id = $1 limit 1",
    values: [userId],
  });
  return rows.length > 0;
}

/** Those of the numbers that opted out. One array comes back instead of a row per number. */
export async function selectOptedOut(db: Queryable, userId: string, phoneNos: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ phoneNos: number[] }>({
    name: "opted-out",
    text: `select coalesce(array_agg(phone_no), '{}') as "phoneNos"
      from opt_out join unnest($2::bigint[]) as asked (phone_no) using (phone_no) where user_id = $1`,
    values: [userId, `{${phoneNos.join(",")}}`],
  });
  return rows[0]?.phoneNos ?? [];
}

/** Those of the customers on whose list somebody came within the last seconds. */
export async function selectRecentlyOptedOut(
  db: Queryable,
  userIds: readonly string[],
  withinSeconds: number,
): Promise<string[]> {
  const { rows } = await db.query<{ userId: string }>(
    `select distinct user_id as "userId" from opt_out
     where user_id = any ($1::uuid[]) and created_at > now() - make_interval(secs => $2)`,
    [userIds, withinSeconds],
  );
  return rows.map(({ userId }) => userId);
}

export type NewOptOuts = {
  userId: string;
  phoneNos: readonly number[];
  source: OptOutSource;
  /** By which message they opted out, where that is known. */
  messageId?: string | undefined;
};

/** Puts numbers onto the list and tells the workers, who may have them in hand. @returns those that were not on it. */
export async function insertOptOuts(
  tx: Queryable,
  { userId, phoneNos, source, messageId }: NewOptOuts,
): Promise<number[]> {
  const { rows } = await tx.query<{ phoneNo: number }>(
    // In order of number, so that two who add the same numbers wait for each other and never deadlock.
    `insert into opt_out (user_id, phone_no, source, created_at, message_id)
     select distinct $1::uuid, phone_no, $3, now(), $4::uuid from unnest($2::bigint[]) as new (phone_no) order by phone_no
     on conflict do nothing returning phone_no as "phoneNo"`,
    [userId, `{${phoneNos.join(",")}}`, source, messageId ?? null],
  );
  if (rows.length > 0) await tx.query("select pg_notify($1, $2)", [DELIVERY_CHANNEL, OPT_OUT_PAYLOAD]);
  return rows.map(({ phoneNo }) => phoneNo);
}

/** @returns how many were on the list. Whoever opts out again is answered again. */
export async function deleteOptOuts(tx: Queryable, userId: string, phoneNos: readonly number[]): Promise<number> {
  const { rowCount } = await tx.query("delete from opt_out where user_id = $1 and phone_no = any ($2::bigint[])", [
    userId,
    `{${phoneNos.join(",")}}`,
  ]);
  return rowCount ?? 0;
}

/** How a number came onto the list; undefined when it is not on it. */
export async function findOptOutSource(
  db: Queryable,
  userId: string,
  phoneNo: number,
): Promise<OptOutSource | undefined> {
  const { rows } = await db.query<{ source: OptOutSource }>(
    "select source from opt_out where user_id = $1 and phone_no = $2",
    [userId, phoneNo],
  );
  return rows[0]?.source;
}

export async function deleteOptOutsByLink(tx: Queryable, userId: string, phoneNo: number): Promise<void> {
  await tx.query("delete from opt_out where user_id = $1 and phone_no = $2 and source = 'link'", [userId, phoneNo]);
}

/** @returns false when this person was answered before and has not come back since. */
export async function insertOptOutAnswer(tx: Queryable, userId: string, phoneNo: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    "insert into opt_out_answer (user_id, phone_no, answered_at) values ($1, $2, now()) on conflict do nothing",
    [userId, phoneNo],
  );
  return rowCount === 1;
}

export async function deleteOptOutAnswer(tx: Queryable, userId: string, phoneNo: number): Promise<void> {
  await tx.query("delete from opt_out_answer where user_id = $1 and phone_no = $2", [userId, phoneNo]);
}

export type OptOut = { phoneNo: number; source: OptOutSource; createdAt: Date };
export type OptOutRow = OptOut & { at: string };

/** Newest first. @param page digits is a part of the number, or its beginning as it is written in Nigeria. */
export async function selectOptOutPage(
  db: Queryable,
  page: {
    userId: string;
    after: { at: string; phoneNo: number } | undefined;
    limit: number;
    digits: string | undefined;
  },
): Promise<OptOutRow[]> {
  const { rows } = await db.query<OptOutRow>(
    `select phone_no as "phoneNo", source, created_at as "createdAt", to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from opt_out
     where user_id = $1 and ($2::timestamptz is null or (created_at, phone_no) < ($2::timestamptz, $3::bigint))
       and ($5::text is null or phone_no::text like '%' || $5 || '%'
         or (left($5, 1) = '0' and phone_no::text like '234' || substr($5, 2) || '%'))
     order by created_at desc, phone_no desc limit $4`,
    [page.userId, page.after?.at ?? null, page.after?.phoneNo ?? null, page.limit, page.digits ?? null],
  );
  return rows;
}
