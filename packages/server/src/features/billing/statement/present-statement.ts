import { MILLI_PER_UNIT, type StatementRow } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { csvLine, csvText } from "../../../http/csv-line.ts";
import { eachMovement, type Movement, type MovementFilter } from "../../../ledger/index.ts";
import { findSenders } from "./view-statement.ts";

/** @param sentBy the member who sent the message. */
export function presentMovement(movement: Movement, sentBy?: string): StatementRow {
  return {
    _id: movement.movementId,
    createdAt: movement.createdAt.toISOString(),
    units: movement.amountMilli / MILLI_PER_UNIT,
    balance: movement.balanceMilli / MILLI_PER_UNIT,
    cause: movement.cause,
    reference: movement.reference,
    final: movement.isFinal,
    ...(sentBy !== undefined && { sentBy }),
  };
}

/**
 * A customer's statement as CSV, oldest first as an account book reads, line by line: any length in constant memory. Every
 * cell is quoted.
 */
export async function* statementCsv(
  db: Queryable,
  userId: string,
  filter: MovementFilter = {},
): AsyncGenerator<string> {
  yield csvLine(["createdAt", "cause", "reference", "units", "balance", "sentBy"]);
  for await (const movements of inGroups(eachMovement(db, userId, filter))) {
    const senders = await findSenders(db, userId, movements);
    for (const { createdAt, cause, reference, amountMilli, balanceMilli } of movements)
      yield csvLine([
        createdAt.toISOString(),
        cause,
        csvText(reference),
        toDecimal(amountMilli),
        toDecimal(balanceMilli),
        csvText(senders.get(reference) ?? ""),
      ]);
  }
}

/** Lines whose senders are looked up together. */
const GROUP_LINES = 500;

async function* inGroups(movements: AsyncIterable<Movement>): AsyncGenerator<Movement[]> {
  let group: Movement[] = [];
  for await (const movement of movements) {
    group.push(movement);
    if (group.length < GROUP_LINES) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Units exactly, with two decimals or, where there are thousandths, three. */
function toDecimal(milli: number): string {
  const magnitude = Math.abs(milli);
  const thousandths = (magnitude % MILLI_PER_UNIT).toString().padStart(3, "0").replace(/0$/, "");
  return `${milli < 0 ? "-" : ""}${Math.trunc(magnitude / MILLI_PER_UNIT)}.${thousandths}`;
}
