import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countCharacters, countPages } from "./page-count.ts";

const EMOJI = "\u{1F600}";

test.each([
  ["", 0, 0],
  ["a", 1, 1],
  ["a".repeat(160), 1, 1],
  ["a".repeat(161), 2, 2],
  ["a".repeat(320), 2, 3],
  [`${"a".repeat(159)}€`, 1, 2],
  [`${"a".repeat(70)}₦`, 1, 2],
  [EMOJI.repeat(160), 1, 5],
  [EMOJI.repeat(161), 2, 5],
  [`${"a".repeat(66)}${EMOJI}${"a".repeat(67)}`, 1, 3],
])("the flat rule and the carriers count text %#", (text, flat, gsm) => {
  expect(countPages(text, "flat160")).toBe(flat);
  expect(countPages(text, "gsm")).toBe(gsm);
});

test("characters are code points, in any string", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.integer({ min: 0xd700, max: 0xe0ff })), (text, units) => {
      const odd = text + String.fromCharCode(...units);
      expect(countCharacters(odd)).toBe(Array.from(odd).length);
    }),
    { seed: 160, numRuns: 2_000 },
  );
});
