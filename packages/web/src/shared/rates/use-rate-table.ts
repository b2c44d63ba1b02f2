import type { Rates } from "@ewebal/contract";
import { DEFAULT_RATES, MILLI_PER_UNIT } from "@ewebal/contract/rules";
import { useMemo } from "react";
import { useRates } from "./rates.ts";

/** The rates as the charge reads them; until they are there, the specified table, which the first visit of a stranger need not fetch. */
export function useRateTable(): Rates {
  const { data } = useRates();
  return useMemo(
    () =>
      data === undefined
        ? DEFAULT_RATES
        : new Map([
            ...DEFAULT_RATES,
            ...data.map(({ code, rate }): [string, number] => [code, Math.round(rate * MILLI_PER_UNIT)]),
          ]),
    [data],
  );
}
