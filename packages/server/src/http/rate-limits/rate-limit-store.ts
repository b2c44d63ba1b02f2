import type { Queryable } from "../../db/pool.ts";

export async function insertHit(
  db: Queryable,
  keyHash: Buffer,
  now: Date,
  windowEndsAt: Date,
  count = 1,
): Promise<{ hits: number; resetsAt: Date }> {
  const { rows } = await db.query<{ hits: number; resetsAt: Date }>(
    `insert into rate_limit as counter (key_hash, hits, resets_at) values ($1, $4::integer, $3)
     on conflict (key_hash) do update set
       hits = case when counter.resets_at <= $2 then excluded.hits else least(counter.hits, 1000000) + excluded.hits end,
       resets_at = case when counter.resets_at <= $2 then excluded.resets_at else counter.resets_at end
     returning hits, resets_at as "resetsAt"`,
    [keyHash, now, windowEndsAt, count],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("A counter gave no count");
  return row;
}

export async function findHits(db: Queryable, keyHash: Buffer, now: Date): Promise<{ hits: number; resetsAt: Date }> {
  const { rows } = await db.query<{ hits: number; resetsAt: Date }>(
    `select hits, resets_at as "resetsAt" from rate_limit where key_hash = $1 and resets_at > $2`,
    [keyHash, now],
  );
  return rows[0] ?? { hits: 0, resetsAt: now };
}

export async function takeHitBack(db: Queryable, keyHash: Buffer): Promise<void> {
  await db.query(`update rate_limit set hits = hits - 1 where key_hash = $1 and hits > 0`, [keyHash]);
}

export async function deleteHits(db: Queryable, keyHash: Buffer): Promise<void> {
  await db.query(`delete from rate_limit where key_hash = $1`, [keyHash]);
}

/** @returns the number of windows that were over. */
export async function deleteEndedWindows(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from rate_limit where resets_at <= $1`, [now]);
  return rowCount ?? 0;
}
