/** The rules of the instant panel. The contract computes the price, for the server as well. */
import { formatNaira, instantPurchaseKobo, limits } from "@ewebal/contract/rules";

const unitsDigitsMax = String(limits.instantUnitsMax).length;

/** The characters that the field keeps: digits, without leading zeros. */
export function cleanUnits(text: string): string {
  return text
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
    .slice(0, unitsDigitsMax);
}

/** @param units as cleaned; empty means none. */
export function isBuyable(units: string): boolean {
  return Number(units) >= limits.instantUnitsMin && Number(units) <= limits.instantUnitsMax;
}

/** The two texts of the button in the specification. */
export function buttonText(units: string): string {
  return Number(units) >= limits.instantUnitsMin ? "Buy Instant Unit" : "100 units and above";
}

export type PriceLines = {
  units: string;
  transactionCost: string;
  total: string;
};

/** The three lines in naira; all are zero without units. */
export function priceLines(units: string): PriceLines {
  const count = Number(units);
  const unitsKobo = count * 100;
  const totalKobo = count === 0 ? 0 : instantPurchaseKobo(count);
  const [unitsText, transactionCost, total] = [unitsKobo, totalKobo - unitsKobo, totalKobo].map(
    (kobo) => `₦${formatNaira(kobo)}`,
  );
  return { units: unitsText ?? "", transactionCost: transactionCost ?? "", total: total ?? "" };
}

/** The total for the call; the server computes its own. */
export function instantPurchaseNaira(units: number): number {
  return instantPurchaseKobo(units) / 100;
}
