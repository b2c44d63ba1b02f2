import assert from "node:assert/strict";
import { unitsForJson } from "@ewebal/contract";
import { AppError } from "../base/errors.ts";

/**
 * @throws AssertionError unless the amount is a whole number of thousandths, at least `minimum`.
 */
export function assertAmount(amountMilli: number, minimum: 0 | 1 = 1): void {
  assert(
    Number.isSafeInteger(amountMilli) && amountMilli >= minimum,
    `${amountMilli} is not an amount of thousandths of a unit`,
  );
}

/** The refusal for too few free units. The answer holds the free units as `available`. */
export function unitsRequired(freeMilli: number): AppError {
  return new AppError("UNITS_REQUIRED", { extra: { available: unitsForJson(freeMilli) } });
}
