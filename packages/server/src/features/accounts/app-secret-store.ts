import type { Queryable } from "../../db/pool.ts";

/** `session-token-key` is the first key of its use, `session-token-key/2` the second. Oldest first. */
const RING = `select case when name = $1 then 1 else split_part(name, '/', 2)::integer end as id, name, value, created_at
  from app_secret where name = $1 or starts_with(name, $1 || '/')`;

export async function selectSecrets(db: Queryable, name: string): Promise<{ id: number; key: Buffer }[]> {
  const { rows } = await db.query<{ id: number; key: Buffer }>(
    `select id, value as key from (${RING}) as ring order by id`,
    [name],
  );
  return rows;
}

export async function insertSecretUnlessThere(db: Queryable, name: string, value: Buffer, now: Date): Promise<void> {
  await db.query(`insert into app_secret (name, value, created_at) values ($1, $2, $3) on conflict (name) do nothing`, [
    name,
    value,
    now,
  ]);
}

/** The newest key stays, and each whose successor was made at this time or later. */
export async function deleteSecretsReplacedBefore(db: Queryable, name: string, before: Date): Promise<number> {
  const { rowCount } = await db.query(
    `delete from app_secret where name in (
       select name from (select name, lead(created_at) over (order by id) as replaced_at from (${RING}) as ring) as replaced
       where replaced_at < $2)`,
    [name, before],
  );
  return rowCount ?? 0;
}
