import { expect, test } from "vitest";
import { untilChangeMs } from "./rates.ts";

const now = Date.parse("2026-03-06T09:00:00Z");

test("the rates are read again when a planned one begins to hold", () => {
  expect(untilChangeMs(null, now)).toBe(false);
  expect(untilChangeMs("2026-03-06T09:00:30Z", now)).toBe(30_250);
});

test("a change far ahead is looked at once a day, and one that our clock is ahead of every ten seconds", () => {
  expect(untilChangeMs("2026-12-06T09:00:00Z", now)).toBe(86_400_000);
  expect(untilChangeMs("2026-03-06T08:00:00Z", now)).toBe(10_000);
});
