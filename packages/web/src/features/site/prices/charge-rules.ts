import { chargeMilli, MILLI_PER_UNIT } from "@ewebal/contract/rules";

/** Nigeria, as the table of rates names it. */
export const DEFAULT_COUNTRY = "Nigeria";
/** Ten times the largest send. */
export const CONTACTS_DIGITS_MAX = 7;
export const PAGES_DIGITS_MAX = 2;

/** What a field of the calculator keeps of what is typed: digits, without leading zeros. */
export function cleanDigits(text: string, digitsMax: number): string {
  return text
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
    .slice(0, digitsMax);
}

type Calculation = {
  /** As cleaned by `cleanDigits`; empty means none. */
  contacts: string;
  pages: string;
  /** Naira for one page, three decimals at most. */
  rate: number;
};

/** @returns thousandths of a unit, exact; undefined for a sum that no account could pay. */
export function calculateCharge({ contacts, pages, rate }: Calculation): number | undefined {
  const factors = { recipients: Number(contacts), pages: Number(pages), rateMilli: Math.round(rate * MILLI_PER_UNIT) };
  const isPayable = Number.isSafeInteger(factors.recipients * factors.pages * factors.rateMilli);
  return isPayable ? chargeMilli(factors) : undefined;
}
