import { expect, test } from "../testing/database.ts";
import { numberArray, packArray, textArray } from "./sql-array.ts";

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

test("a column of any type arrives as the driver writes it, nulls included", async ({ db }) => {
  const columns: [string, unknown[]][] = [
    ["uuid", ["01900000-0000-7000-8000-000000000001", null]],
    ["text", ['a, "b"', null]],
    ["jsonb", [JSON.stringify({ every: "day", at: ["08:00"] }), null]],
    ["timestamptz", [new Date("2026-11-25T20:15:00.123Z"), null]],
    ["boolean", [true, false, null]],
    ["smallint", [0, -1, null]],
    ["bigint", [Number.MAX_SAFE_INTEGER, null]],
    ["bytea", [Buffer.from([0, 255]), null]],
  ];
  for (const [type, values] of columns) {
    const { rows } = await db.query(`select $1::${type}[]::text = $2::${type}[]::text as same`, [
      packArray(type, values),
      values,
    ]);
    expect([type, rows]).toEqual([type, [{ same: true }]]);
  }
});
