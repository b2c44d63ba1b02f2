import { expect, test } from "vitest";
import { cutPages, measurePages } from "./message-pages.ts";

test.each([
  { length: 0, pages: [] },
  { length: 1, pages: [1] },
  { length: 160, pages: [160] },
  { length: 161, pages: [160, 1] },
  { length: 320, pages: [160, 160] },
])("$length characters are cut at every 160th", ({ length, pages }) => {
  expect(cutPages("a".repeat(length), "flat160").map((page) => page.length)).toEqual(pages);
});

test("a page counts characters, not their halves", () => {
  expect(cutPages("😀".repeat(161), "flat160").map((page) => Array.from(page).length)).toEqual([160, 1]);
});

test("with the carriers' rule the pages are the carriers' parts", () => {
  expect(cutPages("a".repeat(161), "gsm").map((page) => page.length)).toEqual([153, 8]);
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
