import { expect, test } from "vitest";
import { cleanNumbers } from "./clean-numbers.ts";

test.each([
  ["letters", "abc", ""],
  ["letters inside and behind a number", "08a03000x0001b", "08030000001"],
  ["commas in front and in a row", ",,0803,,0805", "0803,0805"],
  ["what is clean", "08030000001,0805", "08030000001,0805"],
  ["a comma just typed", "08030000001,", "08030000001,"],
  ["spaces inside a number", "0803 000 0001", "08030000001"],
  ["a space just typed inside a number", "0803 ", "0803"],
  ["a space just typed behind a number", "08030000001 ", "08030000001,"],
  ["numbers with spaces between them", "0803 000 0001 0805 000 0002", "08030000001,08050000002"],
  ["one on each line", "08030000001\r\n0805-000-0002\n", "08030000001,08050000002,"],
  ["plus signs", "+234 803 000 0001+2348050000002", "2348030000001,2348050000002"],
  [
    "semicolons, tabs and bars",
    "08030000001;08050000002\t08070000003|0809",
    "08030000001,08050000002,08070000003,0809",
  ],
  ["names", "Ada: 0803 000 0001 Bola: 0805 000 0002", "08030000001,08050000002"],
  ["digits of other scripts", "٠٨٠٣", ""],
])("%s", (_, text, clean) => {
  expect(cleanNumbers(text, "234")).toBe(clean);
});

test("another country's numbers are told apart by their code", () => {
  expect(cleanNumbers("233 24 123 4567 233 24 123 4568", "233")).toBe("233241234567,233241234568");
});

test("a long list is cleaned at once", () => {
  const list = Array.from({ length: 1_500 }, (_, index) => `0803${String(index).padStart(7, "0")}`);
  expect(cleanNumbers(list.join("\n"), "234")).toBe(list.join(","));
});
