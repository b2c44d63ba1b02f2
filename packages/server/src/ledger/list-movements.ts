import type { Queryable } from "../db/pool.ts";
import { selectMovements, selectMovementsForward, type Movement, type MovementPosition } from "./statement-store.ts";

/**
 * A customer's movements, newest first: the first line's balance is what is free now, and each line's balance is the one
 * below it plus its own amount. All lines of a call belong to one moment.
 *
 * @param page after starts behind that line; limit is the most that is returned.
 */
export async function listMovements(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition },
): Promise<Movement[]> {
  return await selectMovements(db, userId, page);
}

/** How many lines `eachMovement` reads at a time: enough that the round trips do not count, few enough for any memory. */
const FORWARD_ROWS = 1_000;

/**
 * All movements of a customer, oldest first, for an export. Each line's balance is the line's before it plus its own amount,
 * from zero, whatever is sent meanwhile. Nothing is held in the database between two reads, however slow the reader.
 */
export async function* eachMovement(db: Queryable, userId: string): AsyncGenerator<Movement> {
  let balanceMilli = 0;
  let after: MovementPosition | undefined;
  for (;;) {
    const rows = await selectMovementsForward(db, userId, { limit: FORWARD_ROWS, ...(after && { after }) });
    for (const row of rows) {
      balanceMilli += row.amountMilli;
      yield { ...row, balanceMilli };
    }
    after = rows.at(-1);
    if (rows.length < FORWARD_ROWS) return;
  }
}
