import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatNaira, formatUnits, instantPurchaseKobo, parseUnitsText, unitsForJson } from "./units.ts";

const FUZZ = { seed: 1_000, numRuns: 3_000 };

describe("reading units", () => {
  test.each([
    ["", "empty"],
    ["   ", "empty"],
    ["10,5", "not-units"],
    ["1,00", "not-units"],
    ["1000,000", "not-units"],
    [",100", "not-units"],
    ["1,000,", "not-units"],
    ["1,,000", "not-units"],
    ["10.5", "not-units"],
    ["-5", "not-units"],
    ["+5", "not-units"],
    ["1e3", "not-units"],
    ["0x10", "not-units"],
    ["1 000", "not-units"],
    ["٣", "not-units"],
    ["１００", "not-units"],
    ["9007199254741", "too-many"],
    ["9".repeat(400), "too-many"],
  ])("%j is refused: %s", (text, reason) => {
    expect(parseUnitsText(text)).toEqual({ kind: "wrong", reason });
  });

  test.each([
    ["0", 0],
    ["7", 7],
    ["1,000", 1_000],
    ["1000", 1_000],
    [" 12,345,678 ", 12_345_678],
    ["00100", 100],
    ["9007199254740", 9_007_199_254_740],
  ])("%j is %i units", (text, units) => {
    expect(parseUnitsText(text)).toEqual({ kind: "units", units });
  });
});

describe("showing amounts", () => {
  test.each([
    [0, "0.00"],
    [9, "0.00"],
    [10, "0.01"],
    [-9, "0.00"],
    [-10, "-0.01"],
    [2_999, "2.99"],
    [3_000, "3.00"],
    [5_900, "5.90"],
    [999_999, "999.99"],
    [1_000_000, "1,000.00"],
    [-1_234_567_890, "-1,234,567.89"],
    [Number.MAX_SAFE_INTEGER, "9,007,199,254,740.99"],
  ])("%i thousandths are %s units", (milli, text) => {
    expect(formatUnits(milli)).toBe(text);
    expect(unitsForJson(milli)).toBe(Number(text.replaceAll(",", "")));
    expect(Object.is(unitsForJson(milli), -0)).toBe(false);
  });

  test("naira have separators and two decimals", () => {
    expect(formatNaira(0)).toBe("0.00");
    expect(formatNaira(100_000)).toBe("1,000.00");
    expect(formatNaira(25_151)).toBe("251.51");
    expect(formatNaira(123_456_789_000)).toBe("1,234,567,890.00");
  });

  test("a fraction of the smallest amount is a bug and says so", () => {
    for (const wrong of [0.5, NaN, 2 ** 53]) {
      expect(() => formatUnits(wrong)).toThrow(RangeError);
      expect(() => formatNaira(wrong)).toThrow(RangeError);
      expect(() => unitsForJson(wrong)).toThrow(RangeError);
    }
  });

  test("no amount is shown larger than it is, none more than a hundredth smaller, and JSON says the same", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (milli) => {
        const text = formatUnits(milli);
        expect(text).toMatch(/^-?\d{1,3}(,\d{3})*\.\d\d$/);
        const hundredths = BigInt(text.replaceAll(/[,.]/g, ""));
        expect(hundredths).toBe(BigInt(milli) / 10n);
        expect(unitsForJson(milli)).toBe(Number(text.replaceAll(",", "")));
      }),
      FUZZ,
    );
  });
});

describe("the price of an instant purchase", () => {
  test.each([
    [100, 25_150],
    [101, 25_252],
    [0, 15_000],
    [1, 15_102],
    [1_000, 116_500],
    [33_333, 3_398_300],
  ])("%i units cost %i kobo", (units, kobo) => {
    expect(instantPurchaseKobo(units)).toBe(kobo);
  });

  test("is 150 + units + 1.5 % of units in exact arithmetic, half a kobo up", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80_000_000_000_000 }), (units) => {
        // Thousandths of a kobo: 15,000,000 + 100,000 u + 1,500 u, then half up.
        const thousandths = 15_000_000n + 101_500n * BigInt(units);
        expect(BigInt(instantPurchaseKobo(units))).toBe((thousandths + 500n) / 1000n);
      }),
      FUZZ,
    );
  });

  test("units that are no whole number, or too many, are refused", () => {
    for (const wrong of [-1, 0.5, NaN, 2 ** 53, 9e13]) expect(() => instantPurchaseKobo(wrong)).toThrow(RangeError);
  });
});
