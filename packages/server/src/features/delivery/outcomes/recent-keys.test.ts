import { expect, test } from "vitest";
import { RecentKeys } from "./recent-keys.ts";

test("the newest half is always there, and never more than the limit", () => {
  const keys = new RecentKeys<number>(1_000);
  for (let index = 0; index < 10_000; index += 1) {
    keys.set(`key-${index}`, index);
    expect(keys.size).toBeLessThanOrEqual(1_000);
  }
  for (let index = 9_500; index < 10_000; index += 1) expect(keys.get(`key-${index}`)).toBe(index);
  expect(keys.get("key-0")).toBeUndefined();
});

test("the newest value of a key that comes back counts", () => {
  const keys = new RecentKeys<string>(10);
  keys.set("again", "old");
  for (let index = 0; index < 5; index += 1) keys.set(`other-${index}`, "x");
  keys.set("again", "new");
  expect(keys.get("again")).toBe("new");
});

test("a key that was deleted is gone, in either generation", () => {
  const keys = new RecentKeys<number>(4);
  for (let index = 0; index < 4; index += 1) keys.set(`key-${index}`, index);
  keys.delete("key-0");
  keys.delete("key-3");
  expect(["key-0", "key-1", "key-2", "key-3"].map((key) => keys.get(key))).toEqual([undefined, 1, 2, undefined]);
});
