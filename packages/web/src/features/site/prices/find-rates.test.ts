import { expect, test } from "vitest";
import { findRates } from "./find-rates.ts";

const rates = [
  { country: "Côte d'Ivoire", code: "225", rate: 12, transactionalRate: 12 },
  { country: "Nigeria", code: "234", rate: 3, transactionalRate: 3 },
  { country: "South Africa", code: "27", rate: 20, transactionalRate: 20 },
];
const search = (text: string): string[] => findRates(rates, text).map(({ country }) => country);

test.each([
  ["", ["Côte d'Ivoire", "Nigeria", "South Africa"]],
  ["  ", ["Côte d'Ivoire", "Nigeria", "South Africa"]],
  ["cote", ["Côte d'Ivoire"]],
  ["AFRICA", ["South Africa"]],
  ["234", ["Nigeria"]],
  ["+2", ["Côte d'Ivoire", "Nigeria", "South Africa"]],
  ["00234", ["Nigeria"]],
  ["34", []],
  ["(", []],
])("%j finds %j", (text, found) => {
  expect(search(text)).toEqual(found);
});
