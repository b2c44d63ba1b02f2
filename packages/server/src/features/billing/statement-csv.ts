import { MILLI_PER_UNIT } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";
import { eachMovement } from "../../ledger/index.ts";

/** Spreadsheets run a cell that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A customer's whole statement as CSV, oldest first as an account book reads, line by line: any length in constant memory.
 * Every cell is quoted.
 */
export async function* statementCsv(db: Queryable, userId: string): AsyncGenerator<string> {
  yield toLine(["createdAt", "cause", "reference", "units", "balance"]);
  for await (const movement of eachMovement(db, userId)) {
    const { createdAt, cause, reference, amountMilli, balanceMilli } = movement;
    yield toLine([createdAt.toISOString(), cause, toText(reference), toDecimal(amountMilli), toDecimal(balanceMilli)]);
  }
}

function toLine(cells: string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/** A reference is partly made by people; an apostrophe makes a spreadsheet show it instead of running it. */
function toText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Units exactly, with two decimals or, where there are thousandths, three. */
function toDecimal(milli: number): string {
  const magnitude = Math.abs(milli);
  const thousandths = (magnitude % MILLI_PER_UNIT).toString().padStart(3, "0").replace(/0$/, "");
  return `${milli < 0 ? "-" : ""}${Math.trunc(magnitude / MILLI_PER_UNIT)}.${thousandths}`;
}
