import { expect, test } from "vitest";
import { priceOf } from "./price.ts";

const send = { recipients: 1_234, message: "a".repeat(161), code: "234", pageRule: "flat160", units: 10_000 } as const;

test("the charge is recipients x pages x rate, exactly", () => {
  expect(priceOf(send)).toMatchObject({
    recipients: 1_234,
    pages: 2,
    rateMilli: 3_000,
    chargeMilli: 7_404_000,
    remainingMilli: 2_596_000,
  });
  // 0.1 + 0.2 would show here: 5.9 units are 5,900 thousandths.
  expect(priceOf({ ...send, code: "254", message: "a", recipients: 3 })).toMatchObject({
    rateMilli: 5_900,
    chargeMilli: 17_700,
  });
});

test("a balance that does not reach shows what is missing", () => {
  expect(priceOf({ ...send, units: 7_403.99 }).remainingMilli).toBe(-10);
});

test("until the balance is known nothing is said about it", () => {
  expect(priceOf({ ...send, units: undefined }).remainingMilli).toBeUndefined();
});

test("two decimals of the balance stay two decimals", () => {
  expect(priceOf({ ...send, recipients: 0, units: 1_234.57 }).remainingMilli).toBe(1_234_570);
});

test("a country that nobody has a price for is said to have none, as soon as the rates are there", () => {
  const rates = new Map([["234", 3_000]]);
  expect(priceOf({ ...send, code: "297", rates }).isUnpriced).toBe(true);
  expect(priceOf({ ...send, code: "297" }).isUnpriced).toBe(false);
  expect(priceOf({ ...send, rates }).isUnpriced).toBe(false);
});
