import type { UserAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
/** As many digits as the contract reads. */
const UNITS_DIGITS_MAX = 9;
const HUNDREDTHS = 100;

/** Digits only; no leading zeros, so that one amount is always the same text. */
export function cleanUnits(text: string): string {
  return text
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
    .slice(0, UNITS_DIGITS_MAX);
}

/** The user and the amount of a credit that can be given. */
export function findMissingForCredit({ email, units }: { email: string; units: string }): string[] {
  const isTooMuch = Number(units) > limits.unitsMaxPerCredit;
  return [
    email === "" && "a user",
    units === "" && "units",
    isTooMuch && `at most ${formatCount(limits.unitsMaxPerCredit)} units`,
  ].filter((name) => name !== false);
}

/** The balance after a credit, counted in whole hundredths because sums of fractions lose a digit. */
export function balanceAfter(user: UserAnswer, units: string): number {
  return (Math.round(user.units * HUNDREDTHS) + Number(units) * HUNDREDTHS) / HUNDREDTHS;
}

/** The question before a credit: the user, the amount in figures and words, and the new balance. */
export function creditQuestion(user: UserAnswer, units: string): { title: string; text: string } {
  const count = Number(units);
  return {
    title: `About to credit ${user.userName}?`,
    text: `${formatUnits(count)} units (${numberInWords(count)}) for ${user.fullName}, ${user.email}. The new balance will be ${formatUnits(balanceAfter(user, units))} units. A mail will be sent to the user.`,
  };
}

const small = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const groups = [
  { size: 1_000_000, name: "million" },
  { size: 1_000, name: "thousand" },
] as const;

/**
 * A whole number in English words, which make a zero too many obvious: `one thousand five hundred and one`.
 *
 * @param number 0 to 999,999,999.
 */
export function numberInWords(number: number): string {
  if (!Number.isInteger(number) || number < 0 || number >= 1_000_000_000)
    throw new RangeError(`${number} has no words here`);
  if (number === 0) return "zero";
  const parts: string[] = [];
  let rest = number;
  for (const { size, name } of groups) {
    if (rest >= size) parts.push(`${belowThousand(Math.trunc(rest / size))} ${name}`);
    rest %= size;
  }
  if (rest > 0) parts.push(parts.length > 0 && rest < 100 ? `and ${belowThousand(rest)}` : belowThousand(rest));
  return parts.join(" ");
}

function belowThousand(number: number): string {
  const hundreds = Math.trunc(number / 100);
  const rest = number % 100;
  if (hundreds === 0) return belowHundred(rest);
  return rest === 0 ? `${small[hundreds]} hundred` : `${small[hundreds]} hundred and ${belowHundred(rest)}`;
}

function belowHundred(number: number): string {
  if (number < 20) return small[number] ?? "";
  const unit = number % 10;
  return unit === 0 ? (tens[Math.trunc(number / 10)] ?? "") : `${tens[Math.trunc(number / 10)]}-${small[unit]}`;
}

/** The contents of a credit: the same contents are the same credit, until one has succeeded. */
type CreditContents = {
  email: string;
  units: string;
};

/**
 * Idempotency keys of a filled form. A retry after a lost answer carries the key of the first try, also when something
 * else
 * was tried between the two, so nobody is credited twice. After a success the same contents are a new credit.
 */
export class CreditKeys {
  readonly #keys = new Map<string, string>();

  keyFor({ email, units }: CreditContents): string {
    const contents = `${units} ${email}`;
    const key = this.#keys.get(contents) ?? makeKey();
    this.#keys.set(contents, key);
    return key;
  }

  renew(): void {
    this.#keys.clear();
  }
}

/** `crypto.randomUUID` exists only on encrypted pages and localhost. */
function makeKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
