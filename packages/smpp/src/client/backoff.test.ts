import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";

test("the pause is anywhere between nothing and a ceiling that doubles up to the longest", () => {
  const longest = new Backoff({ baseMs: 100, maxMs: 30_000, random: () => 0.999_999 });
  const ceilings = Array.from({ length: 10 }, () => longest.nextDelayMs());
  expect(ceilings).toEqual([99, 199, 399, 799, 1599, 3199, 6399, 12_799, 25_599, 29_999]);
  const shortest = new Backoff({ baseMs: 100, maxMs: 30_000, random: () => 0 });
  expect(shortest.nextDelayMs()).toBe(0);
});

test("a reset begins afresh, and a thousand failures change nothing more", () => {
  const backoff = new Backoff({ baseMs: 100, maxMs: 30_000, random: () => 0.5 });
  for (let attempt = 0; attempt < 1000; attempt += 1) backoff.nextDelayMs();
  expect(backoff.nextDelayMs()).toBe(15_000);
  backoff.reset();
  expect(backoff.nextDelayMs()).toBe(50);
});

test("the long pause lies in the upper half of the longest", () => {
  expect(new Backoff({ baseMs: 100, maxMs: 30_000, random: () => 0 }).longDelayMs()).toBe(15_000);
});
