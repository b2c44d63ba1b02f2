import metadata from "libphonenumber-js/metadata.max.json";
import { describe, expect, test } from "vitest";
import { COUNTRIES, DEFAULT_COUNTRY_CODE, listCountryNames } from "./countries.ts";
import { DEFAULT_RATES } from "../money/rates.ts";

describe("the country list", () => {
  test("names every country that uses a code of the rate table, and no other", () => {
    const callingCodes: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;
    for (const code of DEFAULT_RATES.keys()) {
      const named = COUNTRIES.filter((country) => country.code === code).map((country) => country.iso);
      // The two codes that stand for no country by themselves, and Italy, whose neighbour is listed under one of them.
      const expected = { "390": ["VA"], "684": ["AS"], "39": ["IT"] }[code] ?? callingCodes[code] ?? [];
      expect(named.toSorted(), code).toEqual([...expected].toSorted());
    }
    expect(new Set(COUNTRIES.map((country) => country.code))).toEqual(new Set(DEFAULT_RATES.keys()));
  });

  test("has every name once, in alphabetical order, with the default among them", () => {
    const names = COUNTRIES.map((country) => country.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.toSorted(new Intl.Collator("en").compare));
    expect(listCountryNames(DEFAULT_COUNTRY_CODE)).toEqual(["Nigeria"]);
  });

  test("gives all names of a shared code", () => {
    expect(listCountryNames("7")).toEqual(["Kazakhstan", "Russia"]);
    expect(listCountryNames("44")).toEqual(["Guernsey", "Isle of Man", "Jersey", "United Kingdom"]);
    expect(listCountryNames("1")).toEqual(expect.arrayContaining(["Canada", "Jamaica", "United States"]));
    expect(listCountryNames("233")).toEqual(["Ghana"]);
    expect(listCountryNames("964")).toEqual(["Iraq"]);
    expect(listCountryNames("299")).toEqual([]);
  });
});
