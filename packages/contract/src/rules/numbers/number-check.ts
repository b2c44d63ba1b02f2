import { findNumberPlan } from "./number-plans.ts";
import { isTestNumber } from "./test-numbers.ts";
import { classifyCode, DEFAULT_RATES, type Rates } from "../money/rates.ts";

/**
 * Why a number cannot be sent to. `wrong-code`: another country's, or priced apart from the chosen one; `too-short`: short
 * codes and emergency numbers among them;
 * `not-mobile`: no Nigerian mobile number; `never-sent`: premium rate, shared cost, satellite; `scientific-notation`: a
 * spreadsheet's 2.3E+12; `not-digits`: anything else that is no number.
 */
export const wrongNumberReasons = [
  "wrong-code",
  "too-short",
  "too-long",
  "not-mobile",
  "never-sent",
  "scientific-notation",
  "not-digits",
] as const;
export type WrongNumberReason = (typeof wrongNumberReasons)[number];

export type NumberCheck = {
  /**
   * @param value the digits as a whole number; meaningless beyond 17 digits.
   * @param digitCount leading zeros included.
   * @returns the international number, or why it is none.
   */
  read(value: number, digitCount: number, leadingZeroCount: number): number | WrongNumberReason;
  /** Whether the number is read as one whose leading 0 a spreadsheet has dropped; asked of numbers that `read` takes. */
  hasLostZero(digitCount: number, leadingZeroCount: number): boolean;
  /** Whether what stands at the index begins as a number of this code would. */
  beginsNumber(text: string, index: number): boolean;
};

const NIGERIA = "234";
const NIGERIAN_NATIONAL_DIGITS = 10;
/** Fewer digits are a short code or an emergency number. */
export const DIGITS_MIN = 7;
/** More digits are no number of ITU-T E.164. */
const DIGITS_MAX = 15;

/** libphonenumber's pattern of Nigerian mobile numbers, after 234 or the leading zero. */
const NIGERIAN_MOBILE =
  /^(?:(?:702[0-24-9]|819[01])\d{6}|(?:7(?:0[13-9]|[12]\d)|8(?:0[1-9]|1[0-8])|9(?:0[1-9]|1[1-6]))\d{7})$/;

const NIGERIAN_MOBILE_BEGINNINGS = ["7", "8", "9"];

const POWERS_OF_TEN = Array.from({ length: 18 }, (_, exponent) => Number(`1e${exponent}`));

function powerOfTen(exponent: number): number {
  return POWERS_OF_TEN[exponent] ?? Number.POSITIVE_INFINITY;
}

function countWithoutLeadingZeros(value: number, digits: number): number {
  let count = digits;
  while (count > 0 && value < powerOfTen(count - 1)) count -= 1;
  return count;
}

type Prefix = {
  value: number;
  digits: number;
};

/** Which first four digits a Nigerian mobile number may have: the pattern decides on no further digit. */
let nigerianMobileStarts: Uint8Array | undefined;

function isNigerianMobile(national: number): boolean {
  nigerianMobileStarts ??= Uint8Array.from({ length: 10_000 }, (_, start) =>
    NIGERIAN_MOBILE.test(`${String(start).padStart(4, "0")}000000`) ? 1 : 0,
  );
  return nigerianMobileStarts[Math.floor(national / 1e6)] === 1;
}

/**
 * Prepares the check of many numbers against one chosen code; the numbers themselves are checked without text.
 * A code that may not be sent to, or is no country's, refuses every number.
 *
 * @param hasTestNumbers takes the numbers of test mode, too.
 */
export function createNumberCheck(code: string, rates: Rates = DEFAULT_RATES, hasTestNumbers = false): NumberCheck {
  const kind = classifyCode(code, rates);
  if (kind === "unknown") return createRefusal("wrong-code");
  if (kind === "never-sent") return createRefusal("never-sent");
  return code === NIGERIA ? createNigerianCheck(rates, hasTestNumbers) : createCountryCheck(code, rates);
}

function createRefusal(reason: WrongNumberReason): NumberCheck {
  return { read: () => reason, hasLostZero: () => false, beginsNumber: () => false };
}

function createCountryCheck(code: string, rates: Rates): NumberCheck {
  const belongs = createOwnership(code, rates);
  const plan = findNumberPlan(code);
  const nationalDigitsMin = Math.max(plan?.nationalDigitsMin ?? 0, DIGITS_MIN - code.length);
  const nationalDigitsMax = Math.min(plan?.nationalDigitsMax ?? 0, DIGITS_MAX - code.length);
  const keepsZero = plan?.keepsZero ?? true;
  const codeValue = Number(code);
  const neverSent = (plan?.neverSentPrefixes ?? []).map(toPrefix);
  return {
    read(value, digitCount, leadingZeroCount) {
      // 00 is how most countries begin an international number; anything else with a zero is a national one.
      const digits = leadingZeroCount === 2 ? digitCount - 2 : digitCount;
      if (digits < DIGITS_MIN) return "too-short";
      if (digits > DIGITS_MAX) return "too-long";
      if (leadingZeroCount !== 0 && leadingZeroCount !== 2) return "wrong-code";
      if (!belongs(value, digits)) return "wrong-code";
      const written = digits - code.length;
      const national = value % powerOfTen(written);
      // +44 07911 is +44 7911: the zero of national dialling is part of a number in few countries.
      const nationalDigits = keepsZero ? written : countWithoutLeadingZeros(national, written);
      if (nationalDigits < nationalDigitsMin) return "too-short";
      if (nationalDigits > nationalDigitsMax) return "too-long";
      if (startsWithAny(neverSent, national, nationalDigits)) return "never-sent";
      return codeValue * powerOfTen(nationalDigits) + national;
    },
    hasLostZero: () => false,
    beginsNumber: (text, index) => text.startsWith(code, index) || text.startsWith(`00${code}`, index),
  };
}

/**
 * Nigeria: a leading zero stands for 234, and is harmless after it (234 0803 ...). Ten digits of the mobile plan without either
 * have one meaning: a spreadsheet took the zero for nothing.
 */
function createNigerianCheck(rates: Rates, hasTestNumbers: boolean): NumberCheck {
  const belongs = createOwnership(NIGERIA, rates);
  const codeValue = Number(NIGERIA) * powerOfTen(NIGERIAN_NATIONAL_DIGITS);
  const mobileDigits = NIGERIA.length + NIGERIAN_NATIONAL_DIGITS;
  const finish = (national: number) => {
    const number = codeValue + national;
    if (hasTestNumbers && isTestNumber(number)) return number;
    if (!isNigerianMobile(national)) return "not-mobile";
    return belongs(number, mobileDigits) ? number : "wrong-code";
  };
  const hasLostZero = (digitCount: number, leadingZeroCount: number): boolean =>
    digitCount === NIGERIAN_NATIONAL_DIGITS && leadingZeroCount === 0;
  return {
    read(value, digitCount, leadingZeroCount) {
      const digits = leadingZeroCount === 2 ? digitCount - 2 : digitCount;
      if (digits < DIGITS_MIN) return "too-short";
      if (digits > DIGITS_MAX) return "too-long";
      if (leadingZeroCount === 1) {
        if (digits === NIGERIAN_NATIONAL_DIGITS + 1) return finish(value);
        return digits <= NIGERIAN_NATIONAL_DIGITS ? "too-short" : "too-long";
      }
      if (leadingZeroCount > 2) return "wrong-code";
      const nationalDigits = digits - NIGERIA.length;
      if (Math.floor(value / powerOfTen(nationalDigits)) !== Number(NIGERIA)) {
        return hasLostZero(digitCount, leadingZeroCount) && isNigerianMobile(value) ? finish(value) : "wrong-code";
      }
      const national = value % powerOfTen(nationalDigits);
      const hasTrunkZero = nationalDigits === NIGERIAN_NATIONAL_DIGITS + 1 && national < 1e10;
      if (nationalDigits === NIGERIAN_NATIONAL_DIGITS || hasTrunkZero) return finish(national);
      return nationalDigits < NIGERIAN_NATIONAL_DIGITS ? "too-short" : "too-long";
    },
    hasLostZero,
    beginsNumber: (text, index) =>
      text.startsWith("0", index) ||
      text.startsWith(NIGERIA, index) ||
      NIGERIAN_MOBILE_BEGINNINGS.includes(text.charAt(index)),
  };
}

/** @returns whether a number starts with the code and with no longer code that the rates list apart. */
function createOwnership(code: string, rates: Rates): (value: number, digits: number) => boolean {
  const own = toPrefix(code);
  const longer = [...rates.keys()].filter((other) => other !== code && other.startsWith(code)).map(toPrefix);
  return (value, digits) => startsWithAny([own], value, digits) && !startsWithAny(longer, value, digits);
}

function toPrefix(text: string): Prefix {
  return { value: Number(text), digits: text.length };
}

function startsWithAny(prefixes: readonly Prefix[], value: number, digits: number): boolean {
  for (const prefix of prefixes) {
    if (prefix.digits <= digits && Math.floor(value / powerOfTen(digits - prefix.digits)) === prefix.value) return true;
  }
  return false;
}

/** Why a number is wrong, in words that follow it: `"abc" is not a number`. */
export const wrongNumberWords: Readonly<Record<WrongNumberReason, string>> = {
  "wrong-code": "does not begin with the chosen country code",
  "too-short": "is too short",
  "too-long": "is too long",
  "not-mobile": "is not a mobile number",
  "never-sent": "is a premium, shared-cost or satellite number",
  "scientific-notation":
    "was shortened by a spreadsheet, its last digits are lost: format the column as a number without decimals and save again",
  "not-digits": "is not a number",
};
