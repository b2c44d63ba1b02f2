import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chargeMilli } from "./charge.ts";
import { rateMilliForCode } from "./rates.ts";
import { SPECIFIED_RATES } from "../../testing/specified-rates.ts";

const RECIPIENTS_MAX = 1_000_000;

describe("refusals", () => {
  test.each([-1, 0.5, NaN, Infinity, 2 ** 53])("a factor of %s is refused", (factor) => {
    const fine = { recipients: 1, pages: 1, rateMilli: 3_000 };
    for (const name of Object.keys(fine)) expect(() => chargeMilli({ ...fine, [name]: factor })).toThrow(RangeError);
  });

  test("a charge that a number cannot hold exactly is refused, one below is exact", () => {
    const rateMilli = 70_000;
    const pages = 128_674;
    expect(chargeMilli({ recipients: RECIPIENTS_MAX, pages, rateMilli })).toBe(9_007_180_000_000_000);
    expect(() => chargeMilli({ recipients: RECIPIENTS_MAX, pages: pages + 1, rateMilli })).toThrow(RangeError);
  });
});

describe("the charge", () => {
  test("is recipients x pages x rate: 2 numbers, 3 pages, Nigeria: 18 units", () => {
    expect(chargeMilli({ recipients: 2, pages: 3, rateMilli: 3_000 })).toBe(18_000);
    expect(chargeMilli({ recipients: 0, pages: 3, rateMilli: 3_000 })).toBe(0);
    expect(chargeMilli({ recipients: RECIPIENTS_MAX, pages: 10, rateMilli: 60_900 })).toBe(609_000_000_000);
  });

  test.each(SPECIFIED_RATES.map((rate) => [rate.code, rate] as const))("is exact for code %s", (code, rate) => {
    const rateMilli = rateMilliForCode(code);
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(1, 2, 999_999, RECIPIENTS_MAX), fc.integer({ min: 0, max: RECIPIENTS_MAX })),
        fc.integer({ min: 0, max: 1_000 }),
        (recipients, pages) => {
          const charge = BigInt(chargeMilli({ recipients, pages, rateMilli }));
          expect(charge * rate.denominator).toBe(BigInt(recipients) * BigInt(pages) * rate.numerator * 1000n);
        },
      ),
      { seed: 9, numRuns: 200 },
    );
  });
});
