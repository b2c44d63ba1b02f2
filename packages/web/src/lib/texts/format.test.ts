import { expect, test } from "vitest";
import { formatCount, formatNaira, formatPhone, formatRelative, formatUnits } from "./format.ts";

test("units have two decimals and thousands separators", () => {
  expect(formatUnits(1_234_567.5)).toBe("1,234,567.50");
  expect(formatUnits(0)).toBe("0.00");
});

test("amounts are in naira with .00, counts whole, phones with their prefix", () => {
  expect(formatNaira(3_000)).toBe("₦3,000.00");
  expect(formatCount(10_000)).toBe("10,000");
  expect(formatPhone("8000000001")).toBe("+234 8000000001");
  expect(formatPhone("80300000012345")).toBe("80300000012345 (not a Nigerian number)");
});

test.each([
  [20_000, "just now"],
  [-20_000, "just now"],
  [-5 * 60_000, "5 minutes ago"],
  [-26 * 3_600_000, "yesterday"],
  [2 * 3_600_000, "in 2 hours"],
])("%i ms from now is %s", (differenceMs, words) => {
  const now = Date.parse("2026-03-05T12:00:00Z");
  expect(formatRelative(new Date(now + differenceMs).toISOString(), now)).toBe(words);
});
