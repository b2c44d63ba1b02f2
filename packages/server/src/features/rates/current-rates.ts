/** What a page costs: the specified table, with what administrators have changed of it. */
import { DEFAULT_RATES, UNLISTED_RATE_MILLI, type Rates } from "@ewebal/contract";
import { keepFresh } from "../../db/keep-fresh.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../base/deps.ts";
import { findEditedRate, selectEditedRates } from "./rate-store.ts";

/** Half of what a change may take to be everywhere, which is a second. */
export const RATES_KEPT_MS = 500;

export type ReadRates = () => Promise<Rates>;

/** @returns the rates that hold at a moment, read now. */
export async function readRatesAt(db: Queryable, at: Date): Promise<Rates> {
  const edited = await selectEditedRates(db, at);
  const given = edited.flatMap(({ code, rateMilli }): [string, number][] =>
    rateMilli === null ? [] : [[code, rateMilli]],
  );
  return new Map([...DEFAULT_RATES, ...given]);
}

/**
 * What a send is charged by: read in its own transaction, never from memory, so that a page says one price and another is
 * charged only if the rate changed between the two.
 *
 * @returns thousandths of a unit for one page to one number.
 */
export async function readRateAt(db: Queryable, code: string, at: Date): Promise<number> {
  return (await findEditedRate(db, code, at)) ?? DEFAULT_RATES.get(code) ?? UNLISTED_RATE_MILLI;
}

/**
 * The rates for what is drawn or read many times a second. Never older than half a second while the database answers; while
 * it does not, the last ones.
 *
 * @returns a function that gives the same table as before as long as no rate has changed, so that what was made of it can be
 * kept.
 */
export function createRateReader({ db, clock, log }: Pick<Deps, "db" | "clock" | "log">): ReadRates {
  const onError = (error: unknown): void => log.warn({ err: error }, "the rates could not be read again");
  return keepFresh({ keptMs: RATES_KEPT_MS, read: () => readRatesAt(db, clock.now()), isEqual: areEqual, onError });
}

function areEqual(one: Rates, other: Rates): boolean {
  return one.size === other.size && [...one].every(([code, rateMilli]) => other.get(code) === rateMilli);
}
