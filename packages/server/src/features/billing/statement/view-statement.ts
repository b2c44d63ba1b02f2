import { idSchema, type ListQuery, timeSchema } from "@ewebal/contract";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { listMovements, type Movement, type MovementPosition } from "../../../ledger/index.ts";

/**
 * One page of a customer's statement, newest first. The first line's balance is what is available now, and each line's
 * balance is the next line's plus its own units.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function viewStatement(
  db: Queryable,
  userId: string,
  query: ListQuery,
): Promise<{ rows: Movement[]; next: string | null }> {
  const after = readCursor(query.after);
  return await readPage(
    query.limit,
    (limit) => listMovements(db, userId, { limit, ...(after && { after }) }),
    cursorOf,
  );
}

function cursorOf({ at, movementId }: MovementPosition): string {
  return `${at}_${movementId}`;
}

function readCursor(cursor: string | undefined): MovementPosition | undefined {
  if (cursor === undefined) return undefined;
  const [at, movementId, rest] = cursor.split("_");
  const isOurs = timeSchema.safeParse(at).success && idSchema.safeParse(movementId).success && rest === undefined;
  if (!isOurs || at === undefined || movementId === undefined) throw cursorError();
  return { at, movementId };
}
