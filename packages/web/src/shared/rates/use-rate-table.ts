import type { MessageClass, Rates } from "@ewebal/contract";
import { DEFAULT_RATES, MILLI_PER_UNIT, rateMilliForCode } from "@ewebal/contract/rules";
import { useMemo } from "react";
import { formatCount } from "../../lib/texts/format.ts";
import { useRates } from "./own-rates.ts";

/** The rates of a class as the charge reads them; until they are there, the specified table, which the first visit of a stranger need not fetch. */
export function useRateTable(messageClass: MessageClass = "promotional"): Rates {
  const { data } = useRates();
  return useMemo(
    () =>
      data === undefined
        ? DEFAULT_RATES
        : new Map([
            ...DEFAULT_RATES,
            ...data.map(({ code, rate, transactionalRate }): [string, number] => [
              code,
              Math.round((messageClass === "promotional" ? rate : transactionalRate) * MILLI_PER_UNIT),
            ]),
          ]),
    [data, messageClass],
  );
}

/** `About 14,660 SMS in Nigeria`: what these units reach, one page to each recipient. */
export function useUnitsInWords(units: number): string {
  const rateMilli = rateMilliForCode("234", useRateTable());
  return `About ${formatCount(Math.floor((units * MILLI_PER_UNIT) / rateMilli))} SMS in Nigeria`;
}
