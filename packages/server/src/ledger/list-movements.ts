import type { Queryable } from "../db/pool.ts";
import {
  selectMovements,
  selectMovementsForward,
  type Movement,
  type MovementFilter,
  type MovementPosition,
} from "./statement-store.ts";

/**
 * A customer's movements, newest first: the first line's balance is what is free now, and each line's balance is the one
 * below it plus its own amount, where a filter leaves none out between them. All lines of a call belong to one moment.
 *
 * @param page after starts behind that line; limit is the most that is returned; the filter changes no balance.
 */
export async function listMovements(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition } & MovementFilter,
): Promise<Movement[]> {
  return await selectMovements(db, userId, page);
}

/** How many lines `eachMovement` reads at a time: enough that the round trips do not count, few enough for any memory. */
const FORWARD_ROWS = 1_000;

/**
 * A customer's movements, oldest first, for an export. Each line's balance is what was free after it, added up from zero over all
 * lines, whatever is sent meanwhile; the filter leaves out lines only. Nothing is held in the database between two
 * reads, however slow the reader.
 */
export async function* eachMovement(
  db: Queryable,
  userId: string,
  { from, to, causes }: MovementFilter = {},
): AsyncGenerator<Movement> {
  let balanceMilli = 0;
  let after: MovementPosition | undefined;
  for (;;) {
    const rows = await selectMovementsForward(db, userId, { limit: FORWARD_ROWS, ...(after && { after }) });
    for (const row of rows) {
      if (to !== undefined && row.createdAt >= to) return;
      balanceMilli += row.amountMilli;
      const isInRange = from === undefined || row.createdAt >= from;
      if (isInRange && (causes === undefined || causes.includes(row.cause))) yield { ...row, balanceMilli };
    }
    after = rows.at(-1);
    if (rows.length < FORWARD_ROWS) return;
  }
}
