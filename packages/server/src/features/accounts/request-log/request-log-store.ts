/** All SQL about what programs called. */
import type { Queryable } from "../../../db/pool.ts";

export type NewCall = {
  userId: string;
  callId: string;
  keyId: string;
  method: string;
  /** The route's pattern. */
  path: string;
  status: number;
  /** The code of a refusal. */
  code: string | undefined;
  durationMs: number;
  calledAt: Date;
};

export async function insertCalls(db: Queryable, calls: readonly NewCall[]): Promise<void> {
  if (calls.length === 0) return;
  await db.query({
    name: "log-calls",
    text: `insert into program_call (user_id, call_id, key_id, method, path, status, code, duration_ms, called_at)
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::integer[], $9::timestamptz[])
      on conflict do nothing`,
    values: [
      calls.map(({ userId }) => userId),
      calls.map(({ callId }) => callId),
      calls.map(({ keyId }) => keyId),
      calls.map(({ method }) => method),
      calls.map(({ path }) => path),
      calls.map(({ status }) => status),
      calls.map(({ code }) => code ?? null),
      calls.map(({ durationMs }) => durationMs),
      calls.map(({ calledAt }) => calledAt),
    ],
  });
}

export async function addUsage(
  db: Queryable,
  usage: readonly { userId: string; keyId: string; day: string; calls: number; errors: number }[],
): Promise<void> {
  if (usage.length === 0) return;
  await db.query({
    name: "add-usage",
    text: `insert into program_usage as own (user_id, key_id, day, calls, errors)
      select user_id, key_id, day, calls, errors
      from unnest($1::uuid[], $2::uuid[], $3::date[], $4::bigint[], $5::bigint[]) as added (user_id, key_id, day, calls, errors)
      order by user_id, key_id, day
      on conflict (user_id, key_id, day) do update set calls = own.calls + excluded.calls, errors = own.errors + excluded.errors`,
    values: [
      usage.map(({ userId }) => userId),
      usage.map(({ keyId }) => keyId),
      usage.map(({ day }) => day),
      usage.map(({ calls }) => calls),
      usage.map(({ errors }) => errors),
    ],
  });
}

export type ListedCall = Omit<NewCall, "userId" | "code"> & { code: string | null };

/** Newest first. @param list status: both ends are in it. */
export async function selectCalls(
  db: Queryable,
  list: {
    userId: string;
    keyId: string | undefined;
    status: { from: number; to: number } | undefined;
    after: string | undefined;
    limit: number;
  },
): Promise<ListedCall[]> {
  // Refusals have an index of their own, whose condition must stand in the statement.
  const refused = list.status !== undefined && list.status.from >= 400 ? "and status >= 400" : "";
  const { rows } = await db.query<ListedCall>(
    `select call_id as "callId", key_id as "keyId", method, path, status, code, duration_ms as "durationMs", called_at as "calledAt"
     from program_call
     where user_id = $1 and ($2::uuid is null or key_id = $2) and ($3::uuid is null or call_id < $3)
       and ($4::smallint is null or status between $4 and $5) ${refused}
     order by call_id desc limit $6`,
    [
      list.userId,
      list.keyId ?? null,
      list.after ?? null,
      list.status?.from ?? null,
      list.status?.to ?? null,
      list.limit,
    ],
  );
  return rows;
}

export type UsageDay = { day: string; keyId: string; calls: number; errors: number };

export async function selectUsage(db: Queryable, userId: string, from: string): Promise<UsageDay[]> {
  const { rows } = await db.query<UsageDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, key_id as "keyId", calls, errors
     from program_usage where user_id = $1 and day >= $2::date order by program_usage.day desc, key_id desc`,
    [userId, from],
  );
  return rows;
}

const DELETED_PER_STATEMENT = 10_000;

/** In steps, so that no transaction is long. @returns how many there were. */
export async function deleteCallsBefore(db: Queryable, time: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from program_call where (user_id, call_id) in (
         select user_id, call_id from program_call where called_at < $1 limit ${DELETED_PER_STATEMENT})`,
      [time],
    );
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < DELETED_PER_STATEMENT) return total;
  }
}

export async function deleteUsageBefore(db: Queryable, day: string): Promise<number> {
  const { rowCount } = await db.query(`delete from program_usage where day < $1::date`, [day]);
  return rowCount ?? 0;
}
