import { expect, test } from "vitest";
import { validate, version } from "uuid";
import { makeId } from "./make-id.ts";

test("each id is a UUID of version 7, is new, and sorts behind the ones before it", () => {
  const beganAtMs = Date.now();
  const ids = Array.from({ length: 20_000 }, makeId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(Number.parseInt((ids[0] ?? "").replaceAll("-", "").slice(0, 12), 16)).toBeGreaterThanOrEqual(beganAtMs);
  // The random end differs also where time and place are near.
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(19_900);
});
