import { expect, test } from "vitest";
import { measurePages } from "./message-pages.ts";

test("a page counts characters, not their halves", () => {
  expect(measurePages("😀".repeat(160), "flat160").pageCount).toBe(1);
  expect(measurePages("😀".repeat(161), "flat160").pageCount).toBe(2);
});

test.each([
  { text: "", rule: "flat160", measure: { pageCount: 0, characterCount: 0, freeCount: 160, lastPageShare: 0 } },
  {
    text: "a".repeat(40),
    rule: "flat160",
    measure: { pageCount: 1, characterCount: 40, freeCount: 120, lastPageShare: 0.25 },
  },
  {
    text: "a".repeat(160),
    rule: "flat160",
    measure: { pageCount: 1, characterCount: 160, freeCount: 0, lastPageShare: 1 },
  },
  {
    text: "a".repeat(200),
    rule: "flat160",
    measure: { pageCount: 2, characterCount: 200, freeCount: 120, lastPageShare: 0.25 },
  },
  {
    text: "₦".repeat(35),
    rule: "gsm",
    measure: { pageCount: 1, characterCount: 35, freeCount: 35, lastPageShare: 0.5 },
  },
  { text: "", rule: "gsm", measure: { pageCount: 0, characterCount: 0, freeCount: 160, lastPageShare: 0 } },
] as const)("the meter of $text.length characters by $rule", ({ text, rule, measure }) => {
  expect(measurePages(text, rule)).toEqual(measure);
});
