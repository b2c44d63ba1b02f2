import { unitsForJson } from "@ewebal/contract";
import { AppError } from "../base/errors.ts";

/** The refusal of whoever wants more than is free; the answer says what is, as `available` in units. */
export function unitsRequired(freeMilli: number): AppError {
  return new AppError("UNITS_REQUIRED", { extra: { available: unitsForJson(freeMilli) } });
}
