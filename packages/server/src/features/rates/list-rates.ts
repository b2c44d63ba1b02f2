import {
  DEFAULT_RATES,
  listFurtherCodes,
  MILLI_PER_UNIT,
  nameCode,
  UNLISTED_RATE_MILLI,
  type ListQuery,
  type RateRow,
  type Rates,
} from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Deps } from "../../base/deps.ts";
import { readRatesAt } from "./current-rates.ts";
import { withState, type StatedEdit } from "./edit-rate.ts";
import { findNextChange, selectEditedRates, selectPlannedRates, selectRateEdits } from "./rate-store.ts";

/**
 * @returns naira for one page by country, in the order of their names; a code that several countries share stands once for
 * each. All three decimals of a rate are there, because the calculator charges by them.
 */
export function listRates(rates: Rates): RateRow[] {
  const rows = [...rates].flatMap(([code, rateMilli]) =>
    nameCode(code).map((country) => ({ country, code, rate: rateMilli / MILLI_PER_UNIT })),
  );
  return rows.toSorted((one, other) => one.country.localeCompare(other.country, "en"));
}

/** The rates of this moment, read now: whoever asks after a change must not see what was before it. */
export async function viewPublicRates({
  db,
  clock,
}: Pick<Deps, "db" | "clock">): Promise<{ data: RateRow[]; nextChangeAt: string | null }> {
  const now = clock.now();
  const [rates, next] = await Promise.all([readRatesAt(db, now), findNextChange(db, now)]);
  return { data: listRates(rates), nextChangeAt: next?.toISOString() ?? null };
}

export type AdminRate = {
  code: string;
  country: string;
  rateMilli: number;
  specifiedMilli: number;
  isListed: boolean;
  planned: StatedEdit[];
};

/** Every code that has a name or a rate, in the order of names. */
export async function viewAdminRates({ db, clock }: Pick<Deps, "db" | "clock">): Promise<AdminRate[]> {
  const now = clock.now();
  const [rates, planned] = await Promise.all([readRatesAt(db, now), selectPlannedRates(db, now)]);
  const codes = [...new Set([...rates.keys(), ...listFurtherCodes(), ...planned.map(({ code }) => code)])];
  const rows = codes.map((code) => {
    // An area code that nobody prices apart costs what its country does.
    const specifiedMilli =
      DEFAULT_RATES.get(code) ?? (code.length > 3 ? inheritedRate(code, rates) : UNLISTED_RATE_MILLI);
    return {
      code,
      country: nameCode(code).join(", "),
      rateMilli: rates.get(code) ?? specifiedMilli,
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
  const currentIds = new Set((await selectEditedRates(db, now)).map(({ rateEditId }) => rateEditId));
  const code = query.code === "" ? undefined : query.code;
  const select = (limit: number) => selectRateEdits(db, { code, limit, after: query.after });
  const { rows, next } = await readPage(query.limit, select, ({ rateEditId }) => rateEditId);
  return { rows: rows.map((edit) => withState(edit, now, currentIds)), next };
}
