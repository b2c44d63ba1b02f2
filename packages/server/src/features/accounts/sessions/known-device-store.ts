import type { Queryable } from "../../../db/pool.ts";
import type { Session } from "../../../http/session/session.ts";

type Actor = Pick<Session, "kind" | "actorId">;

/** Marks kept for each person; a phone and a computer leave two each. */
const MARKS_KEPT_MAX = 50;

/** @returns how many marks the person has, and which of the given ones are among them. */
export async function findMarks(
  db: Queryable,
  { kind, actorId }: Actor,
  markHashes: Buffer[],
): Promise<{ count: number; known: Buffer[] }> {
  const { rows } = await db.query<{ markHash: Buffer; isAsked: boolean }>(
    `select mark_hash as "markHash", mark_hash = any($3::bytea[]) as "isAsked" from known_device where kind = $1 and actor_id = $2`,
    [kind, actorId, markHashes],
  );
  return { count: rows.length, known: rows.filter(({ isAsked }) => isAsked).map(({ markHash }) => markHash) };
}

export async function putMarks(
  db: Queryable,
  { kind, actorId }: Actor,
  markHashes: Buffer[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into known_device (kind, actor_id, mark_hash, last_seen_at) select $1, $2, mark, $4 from unnest($3::bytea[]) as mark
     on conflict (kind, actor_id, mark_hash) do update set last_seen_at = excluded.last_seen_at`,
    [kind, actorId, markHashes, now],
  );
  await db.query(
    `delete from known_device where kind = $1 and actor_id = $2 and mark_hash in (
       select mark_hash from known_device where kind = $1 and actor_id = $2 order by last_seen_at desc offset $3
     )`,
    [kind, actorId, MARKS_KEPT_MAX],
  );
}
