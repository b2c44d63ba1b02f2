import type { Db as BossDatabase } from "pg-boss";
import type { Queryable } from "../db/pool.ts";

/** Its own schema, so that its tables and ours never meet. */
export const BOSS_SCHEMA = "pgboss";

/** Lets pg-boss run its statements on our pool, or inside a caller's open transaction. */
export function bossDatabase(queryable: Queryable): BossDatabase {
  return { executeSql: async (text, values) => await queryable.query(text, values) };
}
