/** Lists are read page by page, each behind the cursor that the page before it ended with. */
import { idSchema } from "@ewebal/contract";
import { type AppError, fieldError } from "../base/errors.ts";

/** The refusal of an `after` that no page of the list has ended with. */
export function cursorError(): AppError {
  return fieldError("after", "is not a cursor of this list");
}

/** For lists whose cursor is the id of a row. @throws AppError `VALIDATION` for a text that is no id. */
export function assertIdCursor(after: string | undefined): void {
  if (after !== undefined && !idSchema.safeParse(after).success) throw cursorError();
}

/**
 * Reads one row more than the page holds: it tells whether there is a next page.
 *
 * @param limit how many rows the page holds, at least 1.
 * @param read reads as many rows as it is told, fewer only at the end of the list.
 * @param cursorOf what `after` is for the rows behind this one.
 * @returns `next` is null when this page is the last.
 */
export async function readPage<Row>(
  limit: number,
  read: (limit: number) => Promise<Row[]>,
  cursorOf: (row: Row) => string,
): Promise<{ rows: Row[]; next: string | null }> {
  const found = await read(limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
