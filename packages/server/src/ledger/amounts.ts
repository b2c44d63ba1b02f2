import assert from "node:assert/strict";
import { unitsForJson } from "@ewebal/contract";
import { AppError } from "../base/errors.ts";

/**
 * @throws AssertionError unless this is a whole number of thousandths, at least `minimum`: units are never fractions.
 */
export function assertAmount(amountMilli: number, minimum: 0 | 1 = 1): void {
  assert(
    Number.isSafeInteger(amountMilli) && amountMilli >= minimum,
    `${amountMilli} is not an amount of thousandths of a unit`,
  );
}

/** The refusal when fewer units are free than wanted; the answer has the free units as `available`. */
export function unitsRequired(freeMilli: number): AppError {
  return new AppError("UNITS_REQUIRED", { extra: { available: unitsForJson(freeMilli) } });
}
