import { describe, expect, test } from "vitest";
import { bola } from "../testing/admin-answers.ts";
import { balanceAfter, cleanUnits, CreditKeys, findMissingForCredit, numberInWords } from "./credit-rules.ts";

describe("the form", () => {
  test.each([
    ["1500", "1500"],
    ["1,500", "1500"],
    ["007", "7"],
    ["1o0", "10"],
    ["٣", ""],
    ["0", ""],
    ["12345678901", "123456789"],
  ])("%j becomes %j", (text, units) => {
    expect(cleanUnits(text)).toBe(units);
  });

  test("needs a user and units", () => {
    expect(findMissingForCredit({ email: "", units: "" })).toEqual(["a user", "units"]);
    expect(findMissingForCredit({ email: "ada@gmail.com", units: "1" })).toEqual([]);
  });

  test("takes no more than the server does", () => {
    expect(findMissingForCredit({ email: "ada@gmail.com", units: "100000000" })).toEqual([]);
    expect(findMissingForCredit({ email: "ada@gmail.com", units: "100000001" })).toEqual(["at most 100,000,000 units"]);
  });

  test("adds without losing a hundredth", () => {
    expect(balanceAfter({ ...bola, units: 0.07 }, "100000000")).toBe(100_000_000.07);
  });
});

describe("the keys of a credit", () => {
  const contents = { email: "ada@gmail.com", units: "100" };

  test("a retry carries the key of the first try, also after something else was tried", () => {
    const keys = new CreditKeys();
    const first = keys.keyFor(contents);
    const other = keys.keyFor({ ...contents, units: "200" });
    expect(keys.keyFor({ ...contents })).toBe(first);
    expect(other).not.toBe(first);
  });

  test("another user is another credit", () => {
    const keys = new CreditKeys();
    expect(keys.keyFor({ ...contents, email: "bola@gmail.com" })).not.toBe(keys.keyFor(contents));
  });

  test("after a success the same contents are a credit of their own", () => {
    const keys = new CreditKeys();
    const first = keys.keyFor(contents);
    keys.renew();
    expect(keys.keyFor(contents)).not.toBe(first);
  });

  test("keys are visible ASCII, as the header takes them", () => {
    expect(new CreditKeys().keyFor(contents)).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("a number in words", () => {
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
});
