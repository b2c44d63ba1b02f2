import * as fc from "fast-check";
import { expect, test } from "vitest";
import { NumberList } from "./number-list.ts";

test("holds what a Set holds, in the same order, for any numbers of up to 15 digits", () => {
  const number = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 999_999_999_999_999 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 2_000, size: "max" }), (numbers) => {
      const list = new NumberList();
      const set = new Set<number>();
      for (const value of numbers) {
        expect(list.add(value)).toBe(!set.has(value));
        set.add(value);
      }
      expect(list.count).toBe(set.size);
      expect([...list.toArray()]).toEqual([...set]);
    }),
    { seed: 15, numRuns: 100 },
  );
});
