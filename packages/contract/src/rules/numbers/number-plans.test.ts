import examples from "libphonenumber-js/examples.mobile.json";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";
import { describe, expect, test } from "vitest";
import { createNumberCheck } from "./number-check.ts";
import { deriveNumberPlanLines, type NumberingMetadata } from "../../testing/number-plan-derivation.ts";
import { findNumberPlan, isAssignedCode, NUMBER_PLAN_LINES } from "./number-plans.ts";
import { readRecipients } from "./phone-numbers.ts";

const numbering = metadata as unknown as NumberingMetadata;
const callingCodes = Object.keys(numbering.country_calling_codes);

/** Costly ranges that begin like ordinary numbers of the same country; see the head of `number-plans.ts`. */
const INDISTINGUISHABLE = new Set(["353", "508", "55", "56", "60", "66", "855", "86", "91", "960", "961"]);

const REFUSED_BY_CHOICE = new Set(["234910"]);

describe("number plans", () => {
  test("are the ones that the installed metadata gives", () => {
    expect(NUMBER_PLAN_LINES.trim().split("\n")).toEqual(deriveNumberPlanLines(numbering));
  });

  test("accept the example of a mobile number of every country", () => {
    for (const [country, national] of Object.entries(examples as Record<string, string>)) {
      const number = parsePhoneNumberFromString(national, country as "NG");
      const code = number?.countryCallingCode ?? "";
      const digits = number?.number.slice(1) ?? "";
      expect([...readRecipients(digits, code).valid], country).toEqual([Number(digits)]);
    }
  });

  test(
    "refuse premium and shared-cost numbers of every first three digits, and no mobile number",
    { timeout: 30_000 },
    () => {
      let costly = 0;
      let mobile = 0;
      // Asserted once at the end, so that a change of the metadata names everything that it touches.
      const misread: string[] = [];
      for (const code of callingCodes) {
        const plan = findNumberPlan(code);
        const check = createNumberCheck(code);
        for (let start = 0; start < 1000; start += 1) {
          // A tail that depends on the start, so that different ranges within it are met across the codes.
          const digits = plan?.nationalDigitsMax ?? 0;
          const national = `${String(start).padStart(3, "0")}${String((start * 7_654_321 + Number(code)) % 1e7).padStart(7, "0")}00`;
          const number = `${code}${national.slice(0, digits)}`;
          const parsed = parsePhoneNumberFromString(`+${number}`);
          // Where it leaves out the zero of national dialling it speaks of another number.
          const type = parsed?.number === `+${number}` ? parsed.getType() : undefined;
          const isRead = typeof check.read(Number(number), number.length, 0) === "number";
          // 0910 is a Nigerian range in the installed metadata and none in the newer one, which our pattern follows.
          if (type === "MOBILE" && !REFUSED_BY_CHOICE.has(number.slice(0, code.length + 3))) {
            mobile += 1;
            if (!isRead) misread.push(`mobile ${number}`);
          }
          if ((type === "PREMIUM_RATE" || type === "SHARED_COST") && !INDISTINGUISHABLE.has(code)) {
            costly += 1;
            if (isRead) misread.push(`costly ${number}`);
          }
        }
      }
      expect(misread).toEqual([]);
      expect(mobile).toBeGreaterThan(10_000);
      expect(costly).toBeGreaterThan(300);
    },
  );

  test("British personal numbers are refused", () => {
    expect(readRecipients("447012345678", "44").wrong[0]?.reason).toBe("never-sent");
  });

  test("a longer code that is priced apart takes over the plan that it extends", () => {
    expect(findNumberPlan("1876")).toEqual({
      nationalDigitsMin: 7,
      nationalDigitsMax: 7,
      keepsZero: true,
      neverSentPrefixes: [],
    });
    expect(findNumberPlan("1246")?.neverSentPrefixes).toEqual(["976"]);
    expect(findNumberPlan("2")).toBeUndefined();
    expect(isAssignedCode("1876")).toBe(false);
  });
});
