import type { Rates } from "@ewebal/contract";
import { DEFAULT_RATES, readRecipients } from "@ewebal/contract/rules";
import { formatCount } from "../../lib/texts/format.ts";

const SEPARATORS = /[,;|/+\t\r\n\v\f\u2028\u2029]/;
/** No country's numbers are shorter; what follows a shorter one with a space between belongs to it. */
const DIGITS_MIN = 7;

/**
 * What the field for numbers keeps: digits and commas. Pasted lists of any shape keep their numbers apart: line breaks,
 * semicolons, tabs and the plus of a number become commas; any other character inside a number is dropped, and between two numbers it becomes a comma.
 *
 * @param code the dialling code, which tells where a number begins.
 * @param rates as for `readRecipients`.
 * @param separator what follows each number: `,`, or `,\n` to show one on each line.
 */
export function cleanNumbers(text: string, code: string, rates: Rates = DEFAULT_RATES, separator = ","): string {
  const isComplete = (digits: string): boolean =>
    digits.length >= DIGITS_MIN && readRecipients(digits, code, rates).valid.length === 1;
  let clean = "";
  let number = "";
  let isBroken = false;
  const end = (): void => {
    if (number !== "") clean += `${number}${separator}`;
    number = "";
    isBroken = false;
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character >= "0" && character <= "9") {
      if (isBroken && beginsNumber(text, index, code) && isComplete(number)) end();
      isBroken = false;
      number += character;
    } else if (SEPARATORS.test(character)) end();
    else isBroken = true;
  }
  // A space that has just been typed after a whole number ends it; the next one would run into it otherwise.
  if (/\s$/.test(text) && isComplete(number)) end();
  return clean + number;
}

function beginsNumber(text: string, index: number, code: string): boolean {
  return text.startsWith(code, index) || text.startsWith("0", index);
}

type Counted = {
  valid: { length: number };
  wrongCount: number;
};

/** What is still needed before numbers can be added, as `missingInWords` takes it. */
export function missingNumbers({ valid, wrongCount }: Counted, onlyGood: boolean): string[] {
  if (valid.length === 0) return [wrongCount === 0 ? "phone numbers" : "a valid number"];
  if (wrongCount === 0 || onlyGood) return [];
  const wrong = wrongCount === 1 ? "the number" : `the ${formatCount(wrongCount)} numbers`;
  const good = valid.length === 1 ? "the valid one" : `the ${formatCount(valid.length)} valid ones`;
  return [`Fix ${wrong} above, or choose to add only ${good}.`];
}
