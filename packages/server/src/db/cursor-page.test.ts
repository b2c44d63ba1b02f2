import { expect, test } from "vitest";
import { AppError } from "../base/errors.ts";
import { assertIdCursor, readPage } from "./cursor-page.ts";

test.each(["", "7", "0190a5f3-0000-7000-8000-00000000000", "0190a5f3-0000-7000-8000-000000000001' or true"])(
  "%j is no cursor of a list of ids",
  (after) => {
    expect(() => assertIdCursor(after)).toThrow(
      expect.objectContaining({ code: "VALIDATION", fields: { after: "is not a cursor of this list" } }),
    );
    expect(() => assertIdCursor(after)).toThrow(AppError);
  },
);

test("the first page has no cursor, any other an id", () => {
  assertIdCursor(undefined);
  assertIdCursor("0190a5f3-0000-7000-8000-000000000001");
});

const list = ["first", "second", "third"];
const readList = (limit: number) => Promise.resolve(list.slice(0, limit));

test.each([
  { limit: 2, rows: ["first", "second"], next: "behind second" },
  { limit: 3, rows: list, next: null },
  { limit: 4, rows: list, next: null },
])("of three rows a page of $limit ends with the cursor $next", async ({ limit, rows, next }) => {
  expect(await readPage(limit, readList, (row) => `behind ${row}`)).toEqual({ rows, next });
});

test("an empty list has one page", async () => {
  expect(await readPage(20, () => Promise.resolve([]), String)).toEqual({ rows: [], next: null });
});
