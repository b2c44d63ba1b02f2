import { expect, test } from "vitest";
import { COUNTRIES } from "./countries.ts";
import { listFurtherCodes, nameCode } from "./further-countries.ts";
import { isAssignedCode } from "./number-plans.ts";
import { classifyCode, DEFAULT_RATES } from "../money/rates.ts";

test("every code that may be priced and is not in the specified table has a name", () => {
  const assigned = Array.from({ length: 999 }, (_, index) => String(index + 1)).filter(
    (code) => isAssignedCode(code) && !DEFAULT_RATES.has(code),
  );
  expect(assigned.filter((code) => !listFurtherCodes().includes(code))).toEqual([]);
  for (const code of listFurtherCodes()) {
    expect(DEFAULT_RATES.has(code)).toBe(false);
    expect(classifyCode(code, new Map([[code, 1_000]]))).toBe("listed");
  }
});

test("the countries behind code 1 are called as in the country list", () => {
  const names = new Set(COUNTRIES.filter(({ code }) => code === "1").map(({ name }) => name));
  for (const code of listFurtherCodes().filter((further) => /^1\d{3}$/.test(further)))
    expect(names).toContain(nameCode(code)[0]);
});

test("a shared code has all its names, and a code without a name says what it is", () => {
  expect(nameCode("234")).toEqual(["Nigeria"]);
  expect(nameCode("44")).toContain("Jersey");
  expect(nameCode("380")).toEqual(["Ukraine"]);
  expect(nameCode("44771")).toEqual(["Numbers that begin with 44771"]);
});
