import { listCountryNames, MILLI_PER_UNIT, type RateRow, type Rates } from "@ewebal/contract";

/**
 * @returns naira for one page by country, in the order of their names; a code that several countries share stands once for
 * each. All three decimals of a rate are there, because the calculator charges by them.
 */
export function listRates(rates: Rates): RateRow[] {
  const rows = [...rates].flatMap(([code, rateMilli]) => {
    return listCountryNames(code).map((country) => ({ country, code, rate: rateMilli / MILLI_PER_UNIT }));
  });
  return rows.toSorted((one, other) => one.country.localeCompare(other.country, "en"));
}
