/** All SQL about the sealed point. */
import type { Queryable } from "../db/pool.ts";

/** Up to which journal a customer's ledger is sealed. */
export type Seal = {
  userId: string;
  /** The newest sealed journal; 0 for none. */
  number: number;
  balanceMilli: number;
  hash: Buffer;
  rereadNumber: number;
  rereadHash: Buffer;
};

export type SealedPoint = { sealedAt: Date; rereadUserId: string | null; mark: Buffer };

/** Lets a cluster read everything from one moment, and the transaction take as long as it needs. @returns when the transaction began. */
export async function beginMoment(db: Queryable): Promise<Date> {
  // One connection to each server of a cluster, with one snapshot; others take the name without a meaning.
  await db.query("set local citus.max_adaptive_executor_pool_size = 1");
  const { rows } = await db.query<{ now: Date }>("select now() as now");
  if (rows[0] === undefined) throw new Error("the database tells no time");
  return rows[0].now;
}

export async function selectSealedPoint(db: Queryable): Promise<SealedPoint | undefined> {
  const { rows } = await db.query<SealedPoint>(
    `select sealed_at as "sealedAt", reread_user_id as "rereadUserId", mark from ledger_sealed_point`,
  );
  return rows[0];
}

/** In the order of the customers' ids. */
export async function selectSeals(db: Queryable): Promise<Seal[]> {
  const { rows } = await db.query<Seal>(
    `select user_id as "userId", number, balance_milli as "balanceMilli", hash, reread_number as "rereadNumber", reread_hash as "rereadHash"
     from ledger_seal order by user_id`,
  );
  return rows;
}

/** Every customer's newest journal and balance, in the order of their ids. */
export async function selectAccountEnds(
  db: Queryable,
): Promise<{ userId: string; number: number; balanceMilli: number }[]> {
  const { rows } = await db.query<{ userId: string; number: number; balanceMilli: number }>(
    `select user_id as "userId", journal_count as number, balance_milli as "balanceMilli" from ledger_account order by user_id`,
  );
  return rows;
}

/** Journals of one customer behind `after`, in order, each as one line of all that it and its entries say. */
export async function selectJournalLines(
  db: Queryable,
  part: { userId: string; after: number; upTo: number; limit: number },
): Promise<{ number: number; line: string }[]> {
  const { rows } = await db.query<{ number: number; line: string }>(
    `select number, json_build_array(number, journal_id, kind, reference, hold_id, reverses_number, balance_after_milli, hold_total_milli, note,
         to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
         (select json_agg(json_build_array(account, amount_milli) order by account collate "C") from journal_entry e
          where e.user_id = j.user_id and e.number = j.number))::text as line
     from journal j where user_id = $1 and number > $2 and number <= $3 order by number limit $4`,
    [part.userId, part.after, part.upTo, part.limit],
  );
  return rows;
}

/** How many holds of a stretch of one customer's journals are not as their newest charge and refund say. */
export async function countWrongHolds(
  db: Queryable,
  { userId, after, upTo }: { userId: string; after: number; upTo: number },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from hold h
     where h.user_id = $1
       and h.hold_id in (select hold_id from journal where user_id = $1 and number > $2 and number <= $3 and hold_id is not null)
       and (h.amount_milli <> h.captured_milli + h.released_milli + h.open_milli
         or h.captured_milli <> coalesce((select hold_total_milli from journal j
              where j.user_id = $1 and j.hold_id = h.hold_id and j.kind = 'charge' order by number desc limit 1), 0)
         or h.refunded_milli <> coalesce((select hold_total_milli from journal j
              where j.user_id = $1 and j.hold_id = h.hold_id and j.kind = 'refund' order by number desc limit 1), 0))`,
    [userId, after, upTo],
  );
  return rows[0]?.count ?? 0;
}

export async function upsertSeals(db: Queryable, seals: readonly Seal[]): Promise<void> {
  await db.query(
    `insert into ledger_seal (user_id, number, balance_milli, hash, reread_number, reread_hash)
     select user_id, number, balance_milli, decode(hash, 'hex'), reread_number, decode(reread_hash, 'hex')
     from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])
       as new (user_id, number, balance_milli, hash, reread_number, reread_hash)
     on conflict (user_id) do update set number = excluded.number, balance_milli = excluded.balance_milli, hash = excluded.hash,
       reread_number = excluded.reread_number, reread_hash = excluded.reread_hash`,
    [
      seals.map(({ userId }) => userId),
      seals.map(({ number }) => number),
      seals.map(({ balanceMilli }) => balanceMilli),
      seals.map(({ hash }) => hash.toString("hex")),
      seals.map(({ rereadNumber }) => rereadNumber),
      seals.map(({ rereadHash }) => rereadHash.toString("hex")),
    ],
  );
}

export async function putSealedPoint(db: Queryable, { sealedAt, rereadUserId, mark }: SealedPoint): Promise<void> {
  await db.query(
    `insert into ledger_sealed_point (sealed_at, reread_user_id, mark) values ($1, $2, $3)
     on conflict (is_only) do update set sealed_at = excluded.sealed_at, reread_user_id = excluded.reread_user_id, mark = excluded.mark`,
    [sealedAt, rereadUserId, mark],
  );
}
