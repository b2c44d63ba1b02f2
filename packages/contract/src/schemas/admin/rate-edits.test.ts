import { expect, test } from "vitest";
import { editRateBody } from "./rate-edits.ts";
import { isPriceable } from "../../rules/money/rates.ts";

test("a rate may be given for a country's code and for a longer one, never for satellites, premium rate and nobody's codes", () => {
  for (const code of ["234", "380", "1876", "390", "4477"]) expect(isPriceable(code)).toBe(true);
  for (const code of ["870", "979", "88213", "210", "999", "", "0234", "44771", "2348031", "+234", "٢٣٤"])
    expect(isPriceable(code)).toBe(false);
});

test.each([
  [3.5, true],
  [5.925, true],
  [0.001, true],
  [1_000, true],
  [70.1, true],
  [0, false],
  [-1, false],
  [0.0004, false],
  [1_000.001, false],
  [3.0001, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  ["3", false],
])("a rate of %s: %s", (rate, isRight) => {
  expect(editRateBody.safeParse({ code: "234", rate }).success).toBe(isRight);
});

test("a time needs its offset", () => {
  const times = ["2026-12-01T00:00:00+01:00", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00", "tomorrow"];
  expect(times.map((from) => editRateBody.safeParse({ code: "234", rate: 3, from }).success)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
