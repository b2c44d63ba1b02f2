import type { Queryable } from "../../../db/pool.ts";
import { selectPhonebooks } from "./catalog-store.ts";

/** What customers' records show of their catalogs: the newest ids, and how many there are. */
export async function readPhonebooks(
  db: Queryable,
  userIds: string[],
  idsMax: number,
): Promise<{ userId: string; phonebook: { newestIds: string[]; count: number } }[]> {
  const rows = await selectPhonebooks(db, userIds, idsMax);
  return rows.map(({ userId, ...phonebook }) => ({ userId, phonebook }));
}
