/** Tiers: who uses more units in a month pays less than the list's rate. The server charges by this, and pages show it. */
import { MILLI_PER_UNIT } from "./units.ts";

export type PriceTier = { unitsPerMonthMilli: number; discountBasisPoints: number };

/** Hundredths of a percent. */
export const BASIS_POINTS = 10_000;
export const PRICE_TIERS_MAX = 20;
/** A discount beyond is a slip of the keyboard. */
export const DISCOUNT_PERCENT_MAX = 90;

/** @returns the discount of the highest tier that is reached, in hundredths of a percent; 0 below the first. */
export function discountFor(tiers: readonly PriceTier[], usedMilli: number): number {
  const reached = tiers.filter(({ unitsPerMonthMilli }) => unitsPerMonthMilli <= usedMilli);
  const highest = reached.toSorted((one, other) => other.unitsPerMonthMilli - one.unitsPerMonthMilli)[0];
  return highest?.discountBasisPoints ?? 0;
}

/** @returns thousandths of a unit, rounded half up to the thousandth, and at least one: nothing is sent for nothing. */
export function discountedRate(rateMilli: number, discountBasisPoints: number): number {
  const scaled = rateMilli * (BASIS_POINTS - discountBasisPoints);
  return Math.max(1, Math.floor((scaled + BASIS_POINTS / 2) / BASIS_POINTS));
}

/** @param tiers as administrators write them. */
export function readTiers(tiers: readonly { unitsPerMonth: number; discountPercent: number }[]): PriceTier[] {
  return tiers.map(({ unitsPerMonth, discountPercent }) => ({
    unitsPerMonthMilli: unitsPerMonth * MILLI_PER_UNIT,
    discountBasisPoints: Math.round(discountPercent * 100),
  }));
}
