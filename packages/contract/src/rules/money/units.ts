/**
 * Units and naira as whole numbers: a unit is kept in thousandths (so that a rate of 5.9 is exact), naira in kobo. Every
 * amount is a safe integer; nothing here computes with fractions.
 */

export const MILLI_PER_UNIT = 1_000;
const MILLI_PER_CENT = 10;
const KOBO_PER_NAIRA = 100;

/**
 * Units as people read them: thousands separators, two decimals. Thousandths are cut towards zero, never rounded up, so
 * that a balance never looks larger than what can be spent.
 *
 * @param milli thousandths of a unit, a safe integer, negative for a movement out.
 */
export function formatUnits(milli: number): string {
  return formatHundredths(centsOf(milli));
}

/** Units as a JSON number with two decimals at most, cut towards zero like `formatUnits`. */
export function unitsForJson(milli: number): number {
  return centsOf(milli) / 100;
}

/**
 * Naira as people read them, without the sign: `1,000.00`.
 *
 * @param kobo a safe integer.
 */
export function formatNaira(kobo: number): string {
  assertSafe(kobo);
  return formatHundredths(kobo);
}

function centsOf(milli: number): number {
  assertSafe(milli);
  // The addition turns -0 into 0: "-0.00" and JSON's -0 would be noise.
  return Math.trunc(milli / MILLI_PER_CENT) + 0;
}

const grouped = new Intl.NumberFormat("en");

function formatHundredths(hundredths: number): string {
  const magnitude = Math.abs(hundredths);
  const whole = grouped.format(Math.trunc(magnitude / 100));
  const decimals = (magnitude % 100).toString().padStart(2, "0");
  return `${hundredths < 0 ? "-" : ""}${whole}.${decimals}`;
}

export type UnitsText =
  | { kind: "units"; units: number }
  | { kind: "wrong"; reason: "empty" | "not-units" | "too-many" };

/** Digits, or digits grouped in threes by commas; `10,5` is a slip of the keyboard, and guessing would cost money. */
const WHOLE_UNITS = /^(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)$/;

/**
 * Reads whole units as typed: `1000`, `1,000`, leading zeros dropped. Other scripts' digits are not digits.
 *
 * @returns whole units, 0 included, at most so many that their thousandths are a safe integer.
 */
export function parseUnitsText(text: string): UnitsText {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "wrong", reason: "empty" };
  if (!WHOLE_UNITS.test(trimmed)) return { kind: "wrong", reason: "not-units" };
  const units = Number(trimmed.replaceAll(",", ""));
  if (!Number.isSafeInteger(units * MILLI_PER_UNIT)) return { kind: "wrong", reason: "too-many" };
  return { kind: "units", units };
}

/**
 * What an instant purchase costs: 150 naira, one naira a unit, and 1.5 percent of the units; half a kobo is rounded up.
 *
 * @param units whole units, at least 0; the minimum that may be bought is a rule of the form.
 * @returns kobo, as the card provider takes it.
 */
export function instantPurchaseKobo(units: number): number {
  const kobo = 150 * KOBO_PER_NAIRA + KOBO_PER_NAIRA * units + Math.floor((3 * units + 1) / 2);
  if (!Number.isSafeInteger(units) || units < 0) throw new RangeError("units must be a whole number, 0 or more");
  assertSafe(kobo);
  return kobo;
}

function assertSafe(amount: number): void {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a safe whole amount`);
}
