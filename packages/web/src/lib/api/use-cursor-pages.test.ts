import { expect, test } from "vitest";
import { pageOf } from "./use-cursor-pages.ts";

test.each([
  { row: 0, page: 0 },
  { row: 99, page: 0 },
  { row: 100, page: 1 },
  { row: 149, page: 1 },
  { row: 150, page: 1 },
])("row $row of pages with 100 and 50 rows stands on page $page", ({ row, page }) => {
  expect(pageOf([100, 50], row)).toBe(page);
});

test("without a page there is the first", () => {
  expect(pageOf([], 0)).toBe(0);
});
