import { listCountryNames, unitsForJson, type RateRow, type Rates } from "@ewebal/contract";

/** @returns naira for one page by country, in the order of their names; a code that several countries share stands once for each. */
export function listRates(rates: Rates): RateRow[] {
  const rows = [...rates].flatMap(([code, rateMilli]) => {
    return listCountryNames(code).map((country) => ({ country, code, rate: unitsForJson(rateMilli) }));
  });
  return rows.toSorted((one, other) => one.country.localeCompare(other.country, "en"));
}
