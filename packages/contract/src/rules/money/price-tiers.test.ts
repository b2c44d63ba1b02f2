import { expect, test } from "vitest";
import { discountedRate, discountFor, readTiers } from "./price-tiers.ts";

test("the highest tier that is reached decides, whatever their order", () => {
  const tiers = readTiers([
    { unitsPerMonth: 10_000, discountPercent: 10 },
    { unitsPerMonth: 1_000, discountPercent: 2.25 },
  ]);
  expect([0, 999_999, 1_000_000, 9_999_999, 10_000_000].map((usedMilli) => discountFor(tiers, usedMilli))).toEqual([
    0, 0, 225, 225, 1_000,
  ]);
  expect(discountFor([], 5_000)).toBe(0);
});

test.for([
  [3_000, 0, 3_000],
  [3_000, 1_000, 2_700],
  // 2.9325 and 2.932499...: half a thousandth goes up, less goes down.
  [3_000, 225, 2_933],
  [2_999, 225, 2_932],
  [1, 9_000, 1],
  [1_000_000, 1, 999_900],
] as const)("%i thousandths less %i hundredths of a percent are %i", ([rateMilli, discount, expected]) => {
  expect(discountedRate(rateMilli, discount)).toBe(expected);
});
