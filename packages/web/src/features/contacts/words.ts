import { COUNTRIES } from "@ewebal/contract/rules";

/** `Nigeria (+234)`; several countries share a code, the code tells whom it means. */
export function countryInWords(code: string): string {
  const name = COUNTRIES.find((country) => country.code === code)?.name;
  return name === undefined ? `+${code}` : `${name} (+${code})`;
}
