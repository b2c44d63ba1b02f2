import { setImmediate as nextTurn } from "node:timers/promises";
import { limits, RecipientReader, wrongNumberWords, type Rates } from "@ewebal/contract";
import { fieldError } from "../../errors.ts";
import type { NumbersRead } from "./take-numbers.ts";

/** 5 ms of work; between two pieces others have their turn. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * Reads pasted numbers as those of a send are read.
 *
 * @throws AppError `VALIDATION` for more than 1,000,000.
 */
export async function readPasted(phoneNo: string, code: string, rates: Rates): Promise<NumbersRead> {
  const reader = new RecipientReader(code, rates);
  for (let start = 0; start < phoneNo.length; ) {
    const end = endOfPiece(phoneNo, start);
    reader.add(phoneNo.slice(start, end));
    start = end;
    if (start < phoneNo.length) await nextTurn();
  }
  const { valid, receivedCount, duplicateCount, wrongCount, wrong, repaired } = reader.finish();
  if (receivedCount > limits.catalogContactsMax) throw fieldError("phoneNo", `has more than ${limits.catalogContactsMax.toLocaleString("en")} numbers`);
  return {
    numbers: valid,
    duplicateCount,
    wrongCount,
    ...(repaired && { repaired }),
    wrong: wrong.map(({ index, value, reason }) => ({ row: index + 1, value, reason, text: wrongNumberWords[reason] })),
  };
}

/** A comma and a line break always separate two numbers; a text without any is read in one piece. */
function endOfPiece(text: string, start: number): number {
  const ends = [",", "\n"].map((separator) => text.indexOf(separator, start + PIECE_CHARACTERS)).filter((index) => index !== -1);
  return ends.length === 0 ? text.length : Math.min(...ends);
}
