import { expect, test } from "vitest";
import { calculateCharge, cleanDigits } from "./charge-calculator.tsx";

test.each([
  ["", ""],
  ["000", ""],
  ["0070", "70"],
  ["1,000 people", "1000"],
  ["-5", "5"],
  ["١٢", ""],
  ["12345678", "1234567"],
])("%j is kept as %j", (typed, kept) => {
  expect(cleanDigits(typed, 7)).toBe(kept);
});

test.each([
  { contacts: "1000", pages: "1", rate: 3, chargeMilli: 3_000_000 },
  { contacts: "1000", pages: "2", rate: 5.9, chargeMilli: 11_800_000 },
  // In floating point 3 x 16.7 is 50.099999999999994.
  { contacts: "3", pages: "1", rate: 16.7, chargeMilli: 50_100 },
  { contacts: "9999999", pages: "99", rate: 70, chargeMilli: 69_299_993_070_000 },
  { contacts: "", pages: "1", rate: 3, chargeMilli: 0 },
  { contacts: "10", pages: "", rate: 3, chargeMilli: 0 },
])("$contacts contacts x $pages pages x $rate is $chargeMilli thousandths", ({ chargeMilli, ...calculation }) => {
  expect(calculateCharge(calculation)).toBe(chargeMilli);
});

test("a sum beyond what is exact is no sum", () => {
  expect(calculateCharge({ contacts: "9999999", pages: "99", rate: 100_000 })).toBeUndefined();
});
