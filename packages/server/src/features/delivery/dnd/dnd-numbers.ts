import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { countDndNumbers, deleteDndNumbers, insertDndNumbers, selectDndNumbers, selectDndPage } from "./dnd-store.ts";

/** Numbers that one statement looks up: 0.5 MB of text, some 40 ms. */
const LOOKUP_NUMBERS_MAX = 50_000;
/** E.164. */
const NUMBER_DIGITS_MAX = 15;
/** A time with microseconds, which a Date would lose, and a number. */
const CURSOR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)_(\d{1,15})$/;

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

/**
 * The list, newest first; `next` is the cursor for `after`, null when this page is the last.
 *
 * @param list search is what a number begins with; a leading 0 is Nigeria's.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listDndNumbers(
  db: Queryable,
  list: { limit: number; after?: string | undefined; search?: string | undefined },
): Promise<{ rows: DndNumber[]; next: string | null }> {
  const prefix = list.search?.replace(/^0/, "234");
  const page = { after: readCursor(list.after), ranges: rangesOf(prefix) };
  const cursorOf = (row: { at: string; phoneNo: number }) => `${row.at}_${row.phoneNo}`;
  const { rows, next } = await readPage(list.limit, (limit) => selectDndPage(db, { ...page, limit }), cursorOf);
  return { rows: rows.map(({ phoneNo, source, addedAt }) => ({ phoneNo, source, addedAt })), next };
}

/** Numbers that begin with the digits, for each length that a number may have. */
function rangesOf(prefix: string | undefined): { from: number; to: number }[] {
  if (prefix === undefined || prefix === "") return [];
  const lengths = Array.from({ length: NUMBER_DIGITS_MAX - prefix.length + 1 }, (_, index) => index);
  return lengths.map((more) => ({ from: Number(prefix) * 10 ** more, to: (Number(prefix) + 1) * 10 ** more - 1 }));
}

function readCursor(after: string | undefined): { at: string; phoneNo: number } | undefined {
  if (after === undefined) return undefined;
  const [, at, phoneNo] = CURSOR.exec(after) ?? [];
  if (at === undefined || phoneNo === undefined) throw cursorError();
  return { at, phoneNo: Number(phoneNo) };
}
