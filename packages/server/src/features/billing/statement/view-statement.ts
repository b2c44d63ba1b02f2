import { idSchema, type ListQuery, MILLI_PER_UNIT, type StatementRow, timeSchema } from "@ewebal/contract";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { csvLine, csvText } from "../../../http/csv-line.ts";
import { eachMovement, listMovements, type Movement, type MovementPosition } from "../../../ledger/index.ts";

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
): Promise<{ data: StatementRow[]; next: string | null }> {
  const after = readCursor(query.after);
  const { rows, next } = await readPage(
    query.limit,
    (limit) => listMovements(db, userId, { limit, ...(after && { after }) }),
    cursorOf,
  );
  return { data: rows.map(presentMovement), next };
}

function presentMovement(movement: Movement): StatementRow {
  return {
    _id: movement.movementId,
    createdAt: movement.createdAt.toISOString(),
    units: movement.amountMilli / MILLI_PER_UNIT,
    balance: movement.balanceMilli / MILLI_PER_UNIT,
    cause: movement.cause,
    reference: movement.reference,
    final: movement.isFinal,
  };
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

/**
 * A customer's whole statement as CSV, oldest first as an account book reads, line by line: any length in constant memory.
 * Every cell is quoted.
 */
export async function* statementCsv(db: Queryable, userId: string): AsyncGenerator<string> {
  yield csvLine(["createdAt", "cause", "reference", "units", "balance"]);
  for await (const movement of eachMovement(db, userId)) {
    const { createdAt, cause, reference, amountMilli, balanceMilli } = movement;
    yield csvLine([
      createdAt.toISOString(),
      cause,
      csvText(reference),
      toDecimal(amountMilli),
      toDecimal(balanceMilli),
    ]);
  }
}

/** Units exactly, with two decimals or, where there are thousandths, three. */
function toDecimal(milli: number): string {
  const magnitude = Math.abs(milli);
  const thousandths = (magnitude % MILLI_PER_UNIT).toString().padStart(3, "0").replace(/0$/, "");
  return `${milli < 0 ? "-" : ""}${Math.trunc(magnitude / MILLI_PER_UNIT)}.${thousandths}`;
}
