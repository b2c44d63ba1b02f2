import type { Queryable } from "../../db/pool.ts";
import { countDndNumbers, deleteDndNumbers, insertDndNumbers, selectDndNumbers, selectDndPage } from "./dnd-store.ts";

/** Numbers that one statement looks up: 0.5 MB of text, some 40 ms. */
const LOOKUP_NUMBERS_MAX = 50_000;

/**
 * Which of the numbers do not want to be disturbed.
 *
 * @param phoneNos any amount; 1,000,000 take about a second (figures in docs/delivery.md).
 */
export async function findDndNumbers(db: Queryable, phoneNos: ArrayLike<number>): Promise<Set<number>> {
  const found = new Set<number>();
  // The usual list is empty or small; then there is nothing to look up a million times.
  if (!(await hasDndNumbers(db))) return found;
  for (let start = 0; start < phoneNos.length; start += LOOKUP_NUMBERS_MAX) {
    const chunk = Array.prototype.slice.call(phoneNos, start, start + LOOKUP_NUMBERS_MAX) as number[];
    for (const phoneNo of await selectDndNumbers(db, chunk)) found.add(phoneNo);
  }
  return found;
}

async function hasDndNumbers(db: Queryable): Promise<boolean> {
  return (await countDndNumbers(db, 1)) > 0;
}

/**
 * @param numbers source is 'admin' or the name of the carrier that reported it.
 * @returns how many are new.
 */
export async function addDndNumbers(tx: Queryable, numbers: { phoneNos: number[]; source: string }): Promise<number> {
  return insertDndNumbers(tx, numbers);
}

/** @returns how many were on the list. */
export async function removeDndNumbers(tx: Queryable, phoneNos: number[]): Promise<number> {
  return deleteDndNumbers(tx, phoneNos);
}

export type DndNumber = { phoneNo: number; source: string; addedAt: Date };

/** The list in order of number; `next` is the cursor for `after`, null when this page is the last. */
export async function listDndNumbers(
  db: Queryable,
  list: { limit: number; after?: number },
): Promise<{ rows: DndNumber[]; next: number | null }> {
  const rows = await selectDndPage(db, { limit: list.limit + 1, after: list.after ?? 0 });
  const shown = rows.slice(0, list.limit).map((row) => ({ phoneNo: row.phone_no, source: row.source, addedAt: row.added_at }));
  return { rows: shown, next: rows.length > list.limit ? (shown.at(-1)?.phoneNo ?? null) : null };
}
