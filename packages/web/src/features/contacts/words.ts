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

/** What became of the numbers: `4,980 added, 15 already there, 5 wrong ones left out`. */
export function outcomeInWords({ added, existing, wrong }: { added: number; existing: number; wrong: number }): string {
  const parts = [`${formatCount(added)} added`, `${formatCount(existing)} already there`];
  if (wrong > 0) parts.push(`${formatCount(wrong)} wrong ${wrong === 1 ? "one" : "ones"} left out`);
  return parts.join(", ");
}
