import { findNumberPlan, isAssignedCode } from "../numbers/number-plans.ts";
import { RATE_TABLE } from "./rate-table.ts";

/** Price of one page to one number, in thousandths of a unit, by dialling code. */
export type Rates = ReadonlyMap<string, number>;

/** The specified rates; an installation's administrators may have edited theirs, so every function takes a table. */
export const DEFAULT_RATES: Rates = new Map(
  RATE_TABLE.flatMap(([rateMilli, codes]) => codes.split(" ").map((code): [string, number] => [code, rateMilli])),
);

/** What a page costs under a code that the table does not list: 4 units. */
export const UNLISTED_RATE_MILLI = 4_000;

/** The longest dialling code that a rate may be given for, such as 1876; ITU-T E.164 codes have at most three digits. */
export const CODE_DIGITS_MAX = 4;
export const DIAL_CODE_FORM = new RegExp(`^[1-9][0-9]{0,${CODE_DIGITS_MAX - 1}}$`);

/**
 * Codes of ITU-T E.164 that belong to no country: freephone and shared cost (800, 808), satellites and ships (870, 881),
 * personal and international networks (878, 882, 883), disaster relief (888), premium rate (979), trials and reserve
 * (991, 999). Nobody reads bulk SMS there, and most of them bill the sender many times the price of a page.
 */
export const NEVER_SENT_CODES: readonly string[] = [
  "800",
  "808",
  "870",
  "878",
  "881",
  "882",
  "883",
  "888",
  "979",
  "991",
  "999",
];

export type CodeKind = "listed" | "unlisted" | "never-sent" | "unknown";

/**
 * @returns `listed`: priced by the table; `unlisted`: a country's code at the rate for unlisted codes; `never-sent`:
 * satellite, premium and the like; `unknown`: no country's code.
 */
export function classifyCode(code: string, rates: Rates = DEFAULT_RATES): CodeKind {
  if (NEVER_SENT_CODES.some((never) => code.startsWith(never))) return "never-sent";
  if (rates.has(code)) return findNumberPlan(code) === undefined ? "unknown" : "listed";
  return isAssignedCode(code) ? "unlisted" : "unknown";
}

/**
 * Whether a rate may be given for a code: a country's, or a longer one whose numbers are to be priced apart, such as 1876.
 * Its numbers are then no longer the shorter code's.
 */
export function isPriceable(code: string): boolean {
  return DIAL_CODE_FORM.test(code) && classifyCode(code, new Map([...DEFAULT_RATES, [code, 1]])) === "listed";
}

/** Whether numbers with this code can be sent to at these rates. */
export function isSendable(code: string, rates: Rates = DEFAULT_RATES): boolean {
  return ["listed", "unlisted"].includes(classifyCode(code, rates));
}

/** @returns thousandths of a unit for one page to one number. */
export function rateMilliForCode(code: string, rates: Rates = DEFAULT_RATES): number {
  return rates.get(code) ?? UNLISTED_RATE_MILLI;
}

/**
 * Whose number it is: the longest listed code that it starts with, so 390 wins over 39.
 *
 * @param number an international number, digits only.
 * @returns the code, or undefined when the table lists none of its beginnings.
 */
export function findLongestCode(number: string, rates: Rates = DEFAULT_RATES): string | undefined {
  for (let digits = Math.min(CODE_DIGITS_MAX, number.length); digits > 0; digits -= 1) {
    const code = number.slice(0, digits);
    if (rates.has(code)) return code;
  }
  return undefined;
}
