import { limits } from "@ewebal/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buttonText, cleanUnits, isBuyable, priceLines } from "./instant-purchase.ts";

describe("the units field", () => {
  test.each([
    ["", ""],
    ["0", ""],
    ["000500", "500"],
    ["1,000", "1000"],
    ["-5", "5"],
    ["1e3", "13"],
    ["abc", ""],
    ["٣٤", ""],
    ["99999999999", "9999999"],
  ])("keeps of %j %j: digits without leading zeros", (text, kept) => {
    expect(cleanUnits(text)).toBe(kept);
  });

  test.each([
    ["", false, "100 units and above"],
    ["99", false, "100 units and above"],
    ["100", true, "Buy Instant Unit"],
    [String(limits.instantUnitsMax), true, "Buy Instant Unit"],
    [String(limits.instantUnitsMax + 1), false, "Buy Instant Unit"],
  ])("%j may be bought: %s, and the button reads %s", (units, isAllowed, text) => {
    expect([isBuyable(units), buttonText(units)]).toEqual([isAllowed, text]);
  });
});

describe("the three lines", () => {
  test.each([
    ["", "₦0.00", "₦0.00", "₦0.00"],
    ["1", "₦1.00", "₦150.02", "₦151.02"],
    ["100", "₦100.00", "₦151.50", "₦251.50"],
    ["500", "₦500.00", "₦157.50", "₦657.50"],
    ["33333", "₦33,333.00", "₦650.00", "₦33,983.00"],
  ])("%j units", (units, unitsText, transactionCost, total) => {
    expect(priceLines(units)).toEqual({ units: unitsText, transactionCost, total });
  });

  test("the first two add up to the third, to the kobo", () => {
    const kobo = (text: string): bigint => BigInt(text.replaceAll(/[₦,.]/g, ""));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: limits.instantUnitsMax }), (units) => {
        const lines = priceLines(String(units));
        expect(kobo(lines.units) + kobo(lines.transactionCost)).toBe(kobo(lines.total));
        // 150 + units + 1.5 %, half a kobo up, in exact arithmetic.
        expect(kobo(lines.total)).toBe((150_000n * 100n + 101_500n * BigInt(units) + 500n) / 1_000n);
      }),
      { seed: 5, numRuns: 1_000 },
    );
  });
});
