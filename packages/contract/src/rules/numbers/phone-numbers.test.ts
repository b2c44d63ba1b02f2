import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeRepairs } from "./repairs.ts";
import { readRecipients, RecipientReader, WRONG_NUMBERS_KEPT_MAX } from "./phone-numbers.ts";
import { DEFAULT_RATES } from "../money/rates.ts";

const read = (text: string, code = "234") => [...readRecipients(text, code).valid].map(String);
const reasons = (text: string, code = "234") => readRecipients(text, code).wrong.map(({ reason }) => reason);

describe("refusals", () => {
  test.each([
    ["447911123456", "wrong-code"],
    ["233241234567", "wrong-code"],
    ["000234803123", "wrong-code"],
    ["112", "too-short"],
    ["0000000", "wrong-code"],
    ["080312345", "too-short"],
    ["23480312345", "too-short"],
    ["080312345678", "too-long"],
    ["234803123456789", "too-long"],
    ["23480312345672348031234568", "too-long"],
    ["8001234567", "wrong-code"],
    ["008031234567", "wrong-code"],
    ["07001234567", "not-mobile"],
    ["2348001234567", "not-mobile"],
    ["2347023123456", "not-mobile"],
    ["0201234567 8", "not-mobile"],
    ["2.34803E+12", "scientific-notation"],
    ["2E12", "scientific-notation"],
    ["Ada", "not-digits"],
    ["Ada 08031234567", "not-digits"],
    ["08031234567 Ada", "not-digits"],
    ["0803123456O", "not-digits"],
    ["0803\u00001234567", "not-digits"],
  ])("%j for Nigeria: %s", (text, reason) => {
    expect(readRecipients(text, "234")).toMatchObject({ receivedCount: 1, wrongCount: 1, duplicateCount: 0 });
    expect(reasons(text)).toEqual([reason]);
    expect(read(text)).toEqual([]);
  });

  test.each([
    ["881612345678", "881", "never-sent"],
    ["979123456789", "979", "never-sent"],
    ["19005551234", "1", "never-sent"],
    ["447012345678", "44", "never-sent"],
    ["449012345678", "44", "never-sent"],
    ["390669812345", "39", "wrong-code"],
    ["393471234567", "390", "wrong-code"],
    ["2348031234567", "23", "wrong-code"],
    ["2348031234567", "2348", "wrong-code"],
    ["2348031234567", "", "wrong-code"],
    ["07911123456", "44", "wrong-code"],
    ["440000000000", "44", "too-short"],
    ["44791112345", "44", "too-short"],
    ["4479111234567", "44", "too-long"],
  ])("%s for code %s: %s", (text, code, reason) => {
    expect(reasons(text, code)).toEqual([reason]);
  });

  test("a wrong number is reported with its place and as it was written, the first 100 of them", () => {
    expect(readRecipients("08031234567, 08031234567, abc , 44 7911 123456", "234").wrong).toEqual([
      { index: 2, value: "abc", reason: "not-digits" },
      { index: 3, value: "44 7911 123456", reason: "wrong-code" },
    ]);
    const many = readRecipients("x,".repeat(5_000), "234");
    expect(many).toMatchObject({ wrongCount: 5_000, receivedCount: 5_000 });
    expect(many.wrong).toHaveLength(WRONG_NUMBERS_KEPT_MAX);
    expect(readRecipients("x".repeat(1_000), "234").wrong[0]?.value).toHaveLength(40);
  });
});

describe("ten digits of the Nigerian mobile plan without the 0", () => {
  test("have one meaning, and are counted as repaired", () => {
    const { valid, repaired, duplicateCount, wrongCount } = readRecipients(
      "8030000001, 0803 000 0001\n803-000-0002",
      "234",
    );
    expect([[...valid], duplicateCount, wrongCount]).toEqual([[2_348_030_000_001, 2_348_030_000_002], 1, 0]);
    expect(repaired).toEqual({ leadingZero: 2, blanks: 1 });
  });

  test("stand side by side with a space between, among others, too", () => {
    expect(read("8030000001 8030000002 08030000003 2348030000004 7030000005")).toEqual([
      "2348030000001",
      "2348030000002",
      "2348030000003",
      "2348030000004",
      "2347030000005",
    ]);
  });

  test("nothing is said where nothing was repaired, and under another code they are what they were", () => {
    expect(readRecipients("08030000001, 234-8030000002", "234")).not.toHaveProperty("repaired");
    expect(reasons("8030000001", "44")).toEqual(["wrong-code"]);
  });
});

describe("repairs", () => {
  const one = "2348030000001";
  test.each([
    ["8030000001", { leadingZero: 1 }],
    ["2348030000001.0", { decimals: 1 }],
    ["8030000001.00", { leadingZero: 1, decimals: 1 }],
    ["'08030000001", { apostrophe: 1 }],
    ["\u20182348030000001", { apostrophe: 1 }],
    ["+234 (0) 8030000001", { trunkZero: 1, blanks: 1 }],
    ["+234(0)8030000001", { trunkZero: 1 }],
    ["2340-8030000001", { trunkZero: 1 }],
    ["002348030000001", { internationalPrefix: 1 }],
    ["0803 000 0001", { blanks: 1 }],
    ["0803\u00A0000\u200B0001", { blanks: 1 }],
    ["\u202A+2348030000001\u202C", undefined],
    [" 08030000001 ", undefined],
    ["0803-000-0001", undefined],
    ["0803.000.0001", undefined],
    ["+2348030000001", undefined],
    ["٠٨٠٣٠٠٠٠٠٠١", { digits: 1 }],
    ["०८०३०००-०००१", { digits: 1 }],
    ["\u{1E950}\u{1E958}\u{1E950}\u{1E953}0000001", { digits: 1 }],
    [
      "'００２３４ (0) ８０３００００００１.0",
      { decimals: 1, apostrophe: 1, trunkZero: 1, internationalPrefix: 1, blanks: 1, digits: 1 },
    ],
  ])("%j", (text, repaired) => {
    expect(read(text)).toEqual([one]);
    expect(readRecipients(text, "234").repaired).toEqual(repaired);
  });

  test("each number counts once for each kind, repetitions and other codes too, wrong ones not", () => {
    expect(readRecipients("0803 000 0001, 0803 000 0001, 080 3, 8030000002", "234").repaired).toEqual({
      leadingZero: 1,
      blanks: 2,
    });
    expect(readRecipients("+44 (0) 7911 123456, 0044 7911 123457", "44").repaired).toEqual({
      trunkZero: 1,
      internationalPrefix: 1,
      blanks: 2,
    });
    expect(describeRepairs({ apostrophe: 1, blanks: 2_000 })).toEqual([
      "1 number lost the apostrophe before it",
      "2,000 numbers had blanks inside",
    ]);
  });

  test("what lost its digits is not guessed", () => {
    expect(reasons("2.34803E+12")).toEqual(["scientific-notation"]);
    expect(reasons("2348030000001.5")).toEqual(["too-long"]);
  });
});

describe("cleaning", () => {
  test.each([
    "08031234567",
    "2348031234567",
    "+2348031234567",
    "+234 803 123 4567",
    "+234 (0) 803 123 4567",
    "+234 (0)803-123-4567",
    "234 0803 123 4567",
    "+234 08031234567",
    "002348031234567",
    "(0803) 123-4567",
    "0803.123.4567",
    "0803\u00A0123\u202F4567",
    "0803\u2011123\u20134567",
    "\u202A+234 803 123 4567\u202C",
    '"08031234567"',
    "'08031234567",
    "\uFEFF08031234567\r\n",
    ",,;\n08031234567,\t,",
  ])("%j is 2348031234567", (text) => {
    expect(readRecipients(text, "234")).toMatchObject({ receivedCount: 1, wrongCount: 0 });
    expect(read(text)).toEqual(["2348031234567"]);
  });

  test.each([
    "08030000001,08050000002",
    "08030000001, 08050000002,",
    "08030000001\n08050000002",
    "08030000001\r\n08050000002\r\n",
    "08030000001;08050000002",
    "08030000001\t08050000002",
    "08030000001/08050000002",
    "08030000001|08050000002",
    "08030000001 08050000002",
    "08030000001 - 08050000002",
    "0803 000 0001 0805 000 0002",
    "+234 803 000 0001 +234 805 000 0002",
    "+2348030000001+2348050000002",
    "234 803 000 0001 0805 000 0002",
    "0803-000-0001 2348050000002",
    "08030000001\u300008050000002",
  ])("%j is two numbers", (text) => {
    expect(read(text)).toEqual(["2348030000001", "2348050000002"]);
    expect(readRecipients(text, "234").receivedCount).toBe(2);
  });

  test("a complete number after an incomplete one is not swallowed by it", () => {
    expect(readRecipients("080300001 08050000002", "234")).toMatchObject({ receivedCount: 2, wrongCount: 1 });
    expect(read("080300001 08050000002")).toEqual(["2348050000002"]);
  });

  test.each([
    ["+44 7911 123456", "44", ["447911123456"]],
    ["+44 (0)7911 123 456", "44", ["447911123456"]],
    ["+44 07911 123456", "44", ["447911123456"]],
    ["440447911123456", "44", []],
    ["3209012345", "32", []],
    ["0044 7911 123456 0044 7911 123457", "44", ["447911123456", "447911123457"]],
    ["1 202 555 0123 1 202 555 0124", "1", ["12025550123", "12025550124"]],
    ["(1) 202-555-0123", "1", ["12025550123"]],
    ["39 347 123 4567", "39", ["393471234567"]],
    ["39 06 6981 2345", "390", ["390669812345"]],
    ["225 07 01 02 03 04", "225", ["2250701020304"]],
    ["299 221 234", "299", ["299221234"]],
    ["684 123 4567", "684", ["6841234567"]],
  ])("%s for code %s", (text, code, numbers) => {
    expect(read(text, code)).toEqual(numbers);
  });

  test("nothing is nothing", () => {
    for (const text of ["", " ", ",,,", "\n \n", "()-", "+"]) {
      expect(readRecipients(text, "234")).toMatchObject({ receivedCount: 0, wrongCount: 0, duplicateCount: 0 });
    }
  });
});

describe("counting", () => {
  test("repetitions are found in every spelling, and the first place counts", () => {
    const result = readRecipients("08050000002,08030000001,2348050000002,+234 803 000 0001,abc,08030000003", "234");
    expect([...result.valid]).toEqual([2_348_050_000_002, 2_348_030_000_001, 2_348_030_000_003]);
    expect(result).toMatchObject({ receivedCount: 6, duplicateCount: 2, wrongCount: 1 });
  });

  test("texts read one after another make one list; a number does not run over from one to the next", () => {
    const reader = new RecipientReader("234");
    reader.add("08030000001");
    reader.add("08030000001,080");
    reader.add("30000002");
    expect(reader).toMatchObject({ validCount: 1, duplicateCount: 1, wrongCount: 2 });
    expect(reader.finish().wrong.map(({ index, value }) => [index, value])).toEqual([
      [2, "080"],
      [3, "30000002"],
    ]);
  });

  test("a code that is priced apart takes its numbers from the code that it extends", () => {
    const rates = new Map([...DEFAULT_RATES, ["1876", 21_000]] as const);
    expect(readRecipients("18761234567", "1", rates).wrong[0]?.reason).toBe("wrong-code");
    expect([...readRecipients("18761234567", "1876", rates).valid]).toEqual([18_761_234_567]);
    expect([...readRecipients("18761234567", "1").valid]).toEqual([18_761_234_567]);
  });

  test("Nigerian numbers are exactly those of the pattern, over all starts of five digits", () => {
    const pattern =
      /^(?:(?:702[0-24-9]|819[01])\d{6}|(?:7(?:0[13-9]|[12]\d)|8(?:0[1-9]|1[0-8])|9(?:0[1-9]|1[1-6]))\d{7})$/;
    const nationals = Array.from({ length: 100_000 }, (_, start) => `${String(start).padStart(5, "0")}12345`);
    const expected = nationals.filter((national) => pattern.test(national)).map((national) => `234${national}`);
    const international = nationals.filter((national) => !national.startsWith("0")).map((national) => `234${national}`);
    expect(read(international.join(","))).toEqual(expected);
    expect(read(nationals.map((national) => `0${national}`).join(","))).toEqual(expected);
  });

  test("any list, however written, gives its distinct numbers in order", () => {
    const number = fc.integer({ min: 0, max: 9_999_999 }).map((tail) => `803${String(tail).padStart(7, "0")}`);
    const spelling = fc.constantFrom(
      (national: string) => `0${national}`,
      (national: string) => `234${national}`,
      (national: string) => `+234${national}`,
      (national: string) => `0${national.slice(0, 3)} ${national.slice(3, 6)} ${national.slice(6)}`,
      (national: string) => `+234 (0)${national.slice(0, 3)}-${national.slice(3, 6)}-${national.slice(6)}`,
    );
    const separator = fc.constantFrom(",", ", ", "\n", "\r\n", ";", "\t", " ", "  ", " - ");
    const entry = fc.tuple(number, spelling, separator);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const doubled = [...entries, ...entries.slice(0, 5)];
        const text = doubled.map(([national, spell, between]) => spell(national) + between).join("");
        const distinct = [...new Set(entries.map(([national]) => Number(`234${national}`)))];
        const result = readRecipients(text, "234");
        expect([...result.valid]).toEqual(distinct);
        expect(result).toMatchObject({
          receivedCount: doubled.length,
          duplicateCount: doubled.length - distinct.length,
          wrongCount: 0,
        });
      }),
      { seed: 234, numRuns: 1_000 },
    );
  });

  test("any text at all is read without failing, and the counts add up", () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789023480+ -(),\n;x٣\u{1F600}E.")),
      maxLength: 300,
    });
    fc.assert(
      fc.property(text, fc.constantFrom("234", "44", "1", "390", "881", "2", ""), (value, code) => {
        const { valid, receivedCount, duplicateCount, wrongCount, wrong } = readRecipients(value, code);
        expect(receivedCount).toBe(valid.length + duplicateCount + wrongCount);
        expect(wrong).toHaveLength(Math.min(wrongCount, WRONG_NUMBERS_KEPT_MAX));
        for (const number of valid) expect(String(number).startsWith(code)).toBe(true);
      }),
      { seed: 15, numRuns: 3_000 },
    );
  });
});

describe("a million numbers", () => {
  // How long it takes is measured by hand and stands at readRecipients; a clock in a test only measures its neighbours.
  test("are read, repetitions and all", () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, index) => `23480${30_000_000 + (index % 900_000) * 11}`);
    const { valid, duplicateCount, wrongCount } = readRecipients(numbers.join(","), "234");
    expect({ valid: valid.length, duplicateCount, wrongCount }).toEqual({
      valid: 900_000,
      duplicateCount: 100_000,
      wrongCount: 0,
    });
  });
});
