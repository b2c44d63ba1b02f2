import type { UserAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { numberInWords } from "./number-in-words.ts";

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

/** A user and an amount that may be credited at once. */
export function findMissingForCredit({ email, units }: { email: string; units: string }): string[] {
  const isTooMuch = Number(units) > limits.unitsMaxPerCredit;
  return [
    email === "" && "a user",
    units === "" && "units",
    isTooMuch && `at most ${formatCount(limits.unitsMaxPerCredit)} units`,
  ].filter((name) => name !== false);
}

/** What can be spent after a credit; whole hundredths, because sums of fractions lose a digit. */
export function balanceAfter(user: UserAnswer, units: string): number {
  return (Math.round(user.units * HUNDREDTHS) + Number(units) * HUNDREDTHS) / HUNDREDTHS;
}

/** What is asked before units are credited: to whom, how much in figures and words, and what comes of it. */
export function creditQuestion(user: UserAnswer, units: string): { title: string; text: string } {
  const count = Number(units);
  return {
    title: `About to credit ${user.userName}?`,
    text: `${formatUnits(count)} units (${numberInWords(count)}) for ${user.fullName}, ${user.email}. The balance is then ${formatUnits(balanceAfter(user, units))} units. A mail will be sent to the user.`,
  };
}
