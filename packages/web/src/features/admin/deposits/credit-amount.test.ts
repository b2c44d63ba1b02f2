import { expect, test } from "vitest";
import { cleanUnitsText, defaultUnits, readUnits } from "./credit-amount.ts";

test.each([
  [10_000, "5,000"],
  [10_001, "5,000"],
  [1, "1"],
  [100_000_000, "50,000,000"],
])("a deposit of %i offers %s units", (amount, units) => {
  expect(defaultUnits(amount)).toBe(units);
  expect(readUnits(defaultUnits(amount))).toBe(Math.max(1, Math.floor(amount / 2)));
});

test.each([
  ["1,000", 1_000],
  ["1000", 1_000],
  ["10,5", undefined],
  ["1,0000", undefined],
  [",", undefined],
  ["", undefined],
  ["0", undefined],
  ["100,000,001", undefined],
])("%s is read as %s units", (text, units) => {
  expect(readUnits(text)).toBe(units);
});

test("only digits and commas can be typed", () => {
  expect(cleanUnitsText("NGN 1,000.50 ٣")).toBe("1,00050");
});
