import { COUNTRIES } from "@ewebal/contract";
import { expect, test } from "vitest";
import { filterCountries } from "./country-select.tsx";

const options = COUNTRIES.map(({ name, code, iso }) => ({ value: `${code}-${iso}`, label: `${name} (+${code})` }));
const search = (text: string): string[] =>
  filterCountries({ options, search: text, limit: Number.POSITIVE_INFINITY }).map((option) =>
    "label" in option ? option.label : "",
  );

test.each([
  ["nigeria", "Nigeria (+234)"],
  ["+234", "Nigeria (+234)"],
  ["234", "Nigeria (+234)"],
  ["turkiye", "Türkiye (+90)"],
  ["Kingdom", "United Kingdom (+44)"],
])("%s finds %s", (text, label) => {
  expect(search(text)).toEqual([label]);
});

test("a code finds every country that uses it", () => {
  expect(search("358")).toEqual(["Åland Islands (+358)", "Finland (+358)"]);
});

test("with the chosen country in the field all can be seen", () => {
  expect(search("Nigeria (+234)")).toHaveLength(options.length);
  expect(search("")).toHaveLength(options.length);
});

test("a search that finds nothing says so in the list", () => {
  expect(search("Atlantis")).toEqual(["No country matches"]);
});
