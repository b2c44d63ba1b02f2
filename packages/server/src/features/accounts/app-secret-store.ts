import type { Queryable } from "../../db/pool.ts";

export async function findSecret(db: Queryable, name: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ value: Buffer }>(`select value from app_secret where name = $1`, [name]);
  return rows[0]?.value;
}

export async function insertSecretUnlessThere(db: Queryable, name: string, value: Buffer): Promise<void> {
  await db.query(`insert into app_secret (name, value, created_at) values ($1, $2, now()) on conflict (name) do nothing`, [name, value]);
}
