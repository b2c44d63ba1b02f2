import type { RateRow } from "@ewebal/contract";

function simplify(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Finds countries by name, with or without accents, or by the beginning of the code, with or without a plus. */
export function findRates(rates: readonly RateRow[], search: string): readonly RateRow[] {
  const wanted = simplify(search.trim()).replace(/^(?:\+|00)(?=\d)/, "");
  if (wanted === "") return rates;
  return rates.filter(({ country, code }) => code.startsWith(wanted) || simplify(country).includes(wanted));
}
