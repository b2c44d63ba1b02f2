import { expect, test } from "vitest";
import { lagosDate } from "./lagos-date.ts";

test.each([
  ["2026-03-05T22:59:59.999Z", "2026-03-05"],
  ["2026-03-05T23:00:00.000Z", "2026-03-06"],
  ["2026-12-31T23:00:00.000Z", "2027-01-01"],
  ["2028-02-28T23:30:00.000Z", "2028-02-29"],
])("%s is %s in Lagos", (instant, day) => {
  expect(lagosDate(new Date(instant))).toBe(day);
});
