import { COUNTRIES } from "@ewebal/contract";
import { formatCount } from "../../lib/format.ts";

/** `1 contact`, `12,345 contacts` */
export function contactsInWords(count: number): string {
  return count === 1 ? "1 contact" : `${formatCount(count)} contacts`;
}

/** `1 number`, `12,345 numbers` */
export function numbersInWords(count: number): string {
  return count === 1 ? "1 number" : `${formatCount(count)} numbers`;
}

/** `Nigeria (+234)`; several countries share a code, the code tells whom it means. */
export function countryInWords(code: string): string {
  const name = COUNTRIES.find((country) => country.code === code)?.name;
  return name === undefined ? `+${code}` : `${name} (+${code})`;
}
