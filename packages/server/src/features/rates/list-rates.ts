import {
  DEFAULT_RATES,
  listFurtherCodes,
  messageClasses,
  type MessageClass,
  MILLI_PER_UNIT,
  nameCode,
  UNLISTED_RATE_MILLI,
  type ListQuery,
  type RateRow,
  type Rates,
} from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Deps } from "../../base/deps.ts";
import { withState, type StatedEdit } from "./edit-rate.ts";
import { findNextChange, selectEditedRates, selectPlannedRates, selectRateEdits } from "./rate-store.ts";
import { keepFresh } from "../../db/keep-fresh.ts";
import type { Queryable } from "../../db/pool.ts";

/**
 * @returns naira for one page by country, in the order of their names; a code that several countries share stands once for
 * each. All three decimals of a rate are there, because the calculator charges by them.
 */
export function listRates(rates: Rates, transactional: Rates = rates): RateRow[] {
  const rows = [...rates].flatMap(([code, rateMilli]) =>
    nameCode(code).map((country) => ({
      country,
      code,
      rate: rateMilli / MILLI_PER_UNIT,
      transactionalRate: (transactional.get(code) ?? rateMilli) / MILLI_PER_UNIT,
    })),
  );
  return rows.toSorted((one, other) => one.country.localeCompare(other.country, "en"));
}

/** The rates of this moment, read now: whoever asks after a change must not see what was before it. */
export async function viewPublicRates({
  db,
  clock,
}: Pick<Deps, "db" | "clock">): Promise<{ data: RateRow[]; nextChangeAt: string | null }> {
  const now = clock.now();
  const [rates, transactional, next] = await Promise.all([
    readRatesAt(db, now),
    readRatesAt(db, now, "transactional"),
    findNextChange(db, now),
  ]);
  return { data: listRates(rates, transactional), nextChangeAt: next?.toISOString() ?? null };
}

export type AdminRate = {
  code: string;
  country: string;
  rateMilli: number;
  transactionalMilli: number;
  specifiedMilli: number;
  isListed: boolean;
  planned: StatedEdit[];
};

/** Every code that has a name or a rate, in the order of names. */
export async function viewAdminRates({ db, clock }: Pick<Deps, "db" | "clock">): Promise<AdminRate[]> {
  const now = clock.now();
  const [rates, transactional, planned] = await Promise.all([
    readRatesAt(db, now),
    readRatesAt(db, now, "transactional"),
    selectPlannedRates(db, now),
  ]);
  const codes = [
    ...new Set([...rates.keys(), ...transactional.keys(), ...listFurtherCodes(), ...planned.map(({ code }) => code)]),
  ];
  const rows = codes.map((code) => {
    // An area code that nobody prices apart costs what its country does.
    const specifiedMilli =
      DEFAULT_RATES.get(code) ?? (code.length > 3 ? inheritedRate(code, rates) : UNLISTED_RATE_MILLI);
    return {
      code,
      country: nameCode(code).join(", "),
      rateMilli: rates.get(code) ?? specifiedMilli,
      transactionalMilli: transactional.get(code) ?? specifiedMilli,
      specifiedMilli,
      isListed: rates.has(code),
      planned: planned.filter((edit) => edit.code === code).map((edit) => withState(edit, now, new Set())),
    };
  });
  return rows.toSorted(
    (one, other) => one.country.localeCompare(other.country, "en") || one.code.localeCompare(other.code),
  );
}

function inheritedRate(code: string, rates: Rates): number {
  const digits = [3, 2, 1].find((count) => rates.has(code.slice(0, count)));
  return (digits === undefined ? undefined : rates.get(code.slice(0, digits))) ?? UNLISTED_RATE_MILLI;
}

/** Edits of the rates, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listRateEdits(
  { db, clock }: Pick<Deps, "db" | "clock">,
  query: ListQuery & { code?: string | undefined },
): Promise<{ rows: StatedEdit[]; next: string | null }> {
  assertIdCursor(query.after);
  const now = clock.now();
  const current = await Promise.all(messageClasses.map((each) => selectEditedRates(db, now, each)));
  const currentIds = new Set(current.flat().map(({ rateEditId }) => rateEditId));
  const code = query.code === "" ? undefined : query.code;
  const select = (limit: number) => selectRateEdits(db, { code, limit, after: query.after });
  const { rows, next } = await readPage(query.limit, select, ({ rateEditId }) => rateEditId);
  return { rows: rows.map((edit) => withState(edit, now, currentIds)), next };
}

/** What a page costs: the specified table, with what administrators have changed of it. */

/** Half of what a change may take to be everywhere, which is a second. */
const RATES_KEPT_MS = 500;

export type ReadRates = () => Promise<Rates>;

/** @returns the rates that hold at a moment, read now. */
export async function readRatesAt(db: Queryable, at: Date, messageClass: MessageClass = "promotional"): Promise<Rates> {
  const edited = await selectEditedRates(db, at, messageClass);
  const given = edited.flatMap(({ code, rateMilli }): [string, number][] =>
    rateMilli === null ? [] : [[code, rateMilli]],
  );
  return new Map([...DEFAULT_RATES, ...given]);
}

/**
 * The rates for what is drawn or read many times a second. Never older than half a second while the database answers; while
 * it does not, the last ones.
 *
 * @returns a function that gives the same table as before as long as no rate has changed, so that what was made of it can be
 * kept.
 */
export function createRateReader(
  { db, clock, log }: Pick<Deps, "db" | "clock" | "log">,
  messageClass: MessageClass = "promotional",
): ReadRates {
  const onError = (error: unknown): void => log.warn({ err: error }, "the rates could not be read again");
  const read = async (): Promise<Rates> => await readRatesAt(db, clock.now(), messageClass);
  return keepFresh({ keptMs: RATES_KEPT_MS, read, isEqual: areEqual, onError });
}

function areEqual(one: Rates, other: Rates): boolean {
  return one.size === other.size && [...one].every(([code, rateMilli]) => other.get(code) === rateMilli);
}
