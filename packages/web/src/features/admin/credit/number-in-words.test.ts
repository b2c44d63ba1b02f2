import { expect, test } from "vitest";
import { numberInWords } from "./number-in-words.ts";

test.each([
  [0, "zero"],
  [13, "thirteen"],
  [20, "twenty"],
  [99, "ninety-nine"],
  [100, "one hundred"],
  [101, "one hundred and one"],
  [1_000, "one thousand"],
  [1_001, "one thousand and one"],
  [1_500, "one thousand five hundred"],
  [10_500, "ten thousand five hundred"],
  [105_000, "one hundred and five thousand"],
  [1_000_000, "one million"],
  [1_000_030, "one million and thirty"],
  [100_000_000, "one hundred million"],
  [
    999_999_999,
    "nine hundred and ninety-nine million nine hundred and ninety-nine thousand nine hundred and ninety-nine",
  ],
])("%i is %s", (number, words) => {
  expect(numberInWords(number)).toBe(words);
});

test.each([-1, 1.5, 1_000_000_000, Number.NaN])("%d is refused", (number) => {
  expect(() => numberInWords(number)).toThrow(RangeError);
});
