import { expect, test } from "vitest";
import { addSample, rateOf, timeLeftInWords, type Sample } from "./send-rate.ts";

const samplesOf = (...pairs: Array<[seconds: number, doneCount: number]>): Sample[] =>
  pairs.reduce<Sample[]>(
    (samples, [seconds, doneCount]) => addSample(samples, { atMs: seconds * 1_000, doneCount }),
    [],
  );

test("the rate is what was done over the time it took", () => {
  expect(rateOf(samplesOf([0, 0], [1, 400], [2, 900]), 2_000)).toBe(450);
});

test("before a second has passed there is no rate", () => {
  expect(rateOf(samplesOf([0, 0], [0.5, 300]), 900)).toBeUndefined();
  expect(rateOf([], 5_000)).toBeUndefined();
});

test("only the last ten seconds count, so a send that slows down says so", () => {
  const fastThenSlow = samplesOf([0, 0], [1, 10_000], [10, 10_100], [15, 10_150], [20, 10_200]);
  expect(rateOf(fastThenSlow, 20_000)).toBeLessThan(20);
});

test("without news the rate falls", () => {
  const samples = samplesOf([0, 0], [2, 1_000]);
  expect(rateOf(samples, 2_000)).toBe(500);
  expect(rateOf(samples, 20_000)).toBe(50);
});

test.each([
  { waiting: 100, perSecond: 100, words: "a few seconds left" },
  { waiting: 4_100, perSecond: 100, words: "about 45 seconds left" },
  { waiting: 5_900, perSecond: 100, words: "about 1 minute left" },
  { waiting: 60_000, perSecond: 100, words: "about 10 minutes left" },
  { waiting: 720_000, perSecond: 100, words: "about 2 hours left" },
  { waiting: 10, perSecond: 0, words: undefined },
])("$waiting at $perSecond a second: $words", ({ waiting, perSecond, words }) => {
  expect(timeLeftInWords(waiting, perSecond)).toBe(words);
});
