import { describe, expect, test } from "vitest";
import { RATE_TABLE } from "./rate-table.ts";
import {
  classifyCode,
  DEFAULT_RATES,
  findLongestCode,
  NEVER_SENT_CODES,
  rateMilliForCode,
  UNLISTED_RATE_MILLI,
} from "./rates.ts";
import { SPECIFIED_RATES } from "../../testing/specified-rates.ts";

describe("the rate table", () => {
  test("holds the specification's 144 codes, each once, and no other", () => {
    expect(SPECIFIED_RATES).toHaveLength(144);
    const codes = RATE_TABLE.flatMap(([, row]) => row.split(" "));
    expect(codes.toSorted()).toEqual(SPECIFIED_RATES.map(({ code }) => code).toSorted());
    expect(DEFAULT_RATES.size).toBe(144);
  });

  test.each(
    SPECIFIED_RATES.map(({ code, text, numerator, denominator }) => [code, text, numerator, denominator] as const),
  )("code %s costs %s", (code, _text, numerator, denominator) => {
    expect(BigInt(rateMilliForCode(code)) * denominator).toBe(numerator * 1000n);
  });

  test("Nigeria is 3; Greece and Ireland have their own codes; an unlisted code is 4", () => {
    expect(rateMilliForCode("234")).toBe(3_000);
    expect(rateMilliForCode("30")).toBe(15_300);
    expect(rateMilliForCode("353")).toBe(16_500);
    expect(rateMilliForCode("299")).toBe(UNLISTED_RATE_MILLI);
    expect(UNLISTED_RATE_MILLI).toBe(4_000);
  });

  test("an edited table is used instead of the specified one", () => {
    const edited = new Map([...DEFAULT_RATES, ["234", 3_500], ["1876", 21_000]] as const);
    expect(rateMilliForCode("234", edited)).toBe(3_500);
    expect(findLongestCode("18761234567", edited)).toBe("1876");
    expect(classifyCode("1876", edited)).toBe("listed");
  });
});

describe("whose a number is", () => {
  test.each([
    ["2348031234567", "234"],
    ["12025550123", "1"],
    ["18761234567", "1"],
    ["77011234567", "7"],
    ["393471234567", "39"],
    ["390669812345", "390"],
    ["6841234567", "684"],
    ["35312345678", "353"],
    ["3012345678", "30"],
    ["299123456", undefined],
    ["0803", undefined],
    ["", undefined],
    ["7", "7"],
  ])("%s belongs to %s", (number, code) => {
    expect(findLongestCode(number)).toBe(code);
  });

  test("no listed code but 390 extends another, so every other number has one reading only", () => {
    const codes = [...DEFAULT_RATES.keys()];
    const extended = codes.filter((code) => codes.some((other) => other !== code && code.startsWith(other)));
    expect(extended).toEqual(["390"]);
  });
});

describe("kinds of codes", () => {
  test("every specified code can be sent to, and every non-geographic one cannot", () => {
    for (const { code } of SPECIFIED_RATES) expect(classifyCode(code)).toBe("listed");
    for (const code of NEVER_SENT_CODES) expect(classifyCode(code)).toBe("never-sent");
    expect(NEVER_SENT_CODES).toEqual(expect.arrayContaining(["870", "878", "881", "882", "883", "979"]));
    expect(classifyCode("8816")).toBe("never-sent");
  });

  test("a country outside the table is unlisted; what is no country's is unknown", () => {
    for (const code of ["299", "211", "380", "381"]) expect(classifyCode(code)).toBe("unlisted");
    for (const code of ["", "0", "2", "23", "2348", "210", "999999", "abc", "１"]) {
      expect(["unknown", "never-sent"]).toContain(classifyCode(code));
    }
  });

  test("a rate cannot make a code out of nothing", () => {
    expect(classifyCode("2", new Map([["2", 1_000]]))).toBe("unknown");
    expect(classifyCode("979", new Map([["979", 1_000]]))).toBe("never-sent");
  });
});
