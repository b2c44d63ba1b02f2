/** The days that the page of results shows, as they stand in its address. */
import { lagosDate, RESULT_DAYS_MAX } from "@ewebal/contract/rules";
import { isDay } from "../../../shared/messages/history-filters.ts";

const DAY_MS = 24 * 3_600_000;

/** Days up to today that one press chooses. */
export const resultRanges = ["7", "30", "90"] as const;
const USUAL_RANGE = "30";

/** The first and the last day in Lagos, both of them shown. */
export type Period = { from: string; to: string };

function lastDays(count: number, nowMs: number): Period {
  return { from: lagosDate(new Date(nowMs - (count - 1) * DAY_MS)), to: lagosDate(new Date(nowMs)) };
}

/**
 * @param address what it says, which anybody may have typed: two days, or how many up to today.
 * @returns the days to ask for, and how many up to today these are when that was asked for; anything that the server would refuse is the usual 30.
 */
export function readPeriod(
  { from, to, days }: Period & { days: string },
  nowMs: number,
): { period: Period; range: string } {
  if (from + to !== "" && findPeriodFault({ from, to }) === undefined) return { period: { from, to }, range: "" };
  const range = resultRanges.find((each) => each === days) ?? USUAL_RANGE;
  return { period: lastDays(Number(range), nowMs), range };
}

/** @returns what is wrong with two chosen days, for the person who chose them. */
export function findPeriodFault({ from, to }: Period): string | undefined {
  if (!isDay(from) || !isDay(to)) return "Choose the first and the last day";
  if (from > to) return "The first day is after the last";
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return count > RESULT_DAYS_MAX ? `Choose ${RESULT_DAYS_MAX} days at most` : undefined;
}

/** What changes in the address; the usual days leave it short. */
export function rangeAddress(range: string): Period & { days: string } {
  return { from: "", to: "", days: range === USUAL_RANGE ? "" : range };
}
