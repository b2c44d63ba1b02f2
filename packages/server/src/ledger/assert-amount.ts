import assert from "node:assert/strict";

/** @throws AssertionError unless this is a whole number of thousandths, at least `minimum`: units are never fractions. */
export function assertAmount(amountMilli: number, minimum: 0 | 1 = 1): void {
  assert(
    Number.isSafeInteger(amountMilli) && amountMilli >= minimum,
    `${amountMilli} is not an amount of thousandths of a unit`,
  );
}
