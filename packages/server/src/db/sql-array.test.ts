import { expect, test } from "../testing/database.ts";
import { numberArray, textArray } from "./sql-array.ts";

test("any text arrives as it is, and null as null", async ({ db }) => {
  const values = ["", "plain-1", "null", "NULL", `a"b`, String.raw`a\b`, "{a,b}", " spaced ", "Ẹ", "a\nb", null, "0"];
  const { rows } = await db.query("select $1::text[] as values", [textArray(values)]);
  expect(rows).toEqual([{ values }]);
});

test("texts that look like one another, or like two, arrive as they are", async ({ db }) => {
  for (const values of [
    [],
    [""],
    ["a"],
    ["a", "b-1"],
    ["a,b"],
    ["a,b", "c"],
    ["null"],
    ["a", "null"],
    [null],
    ["a", null],
  ]) {
    const { rows } = await db.query("select $1::text[] as values", [textArray(values)]);
    expect(rows).toEqual([{ values }]);
  }
});

test("a zero character, which PostgreSQL cannot hold, is left out", async ({ db }) => {
  const { rows } = await db.query("select $1::text[] as values", [textArray(["a\0b"])]);
  expect(rows).toEqual([{ values: ["ab"] }]);
});

test("numbers arrive exactly", async ({ db }) => {
  const values = [0, 2_348_030_000_000, -1, Number.MAX_SAFE_INTEGER];
  const { rows } = await db.query("select $1::bigint[] as values", [numberArray(values)]);
  expect(rows).toEqual([{ values }]);
  expect(numberArray([])).toBe("{}");
});
