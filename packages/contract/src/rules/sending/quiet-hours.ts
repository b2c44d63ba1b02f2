/** When promotional messages may leave: between two times of day in one zone, to the second, also across clock changes. */

import { offsetMs } from "../zone-offset.ts";

/** Times are `HH:MM` or `HH:MM:SS`; `closesAt` may be `24:00`, and lie before `opensAt`: then it is open over midnight. */
export type QuietHours = {
  /** The dialling code of the messages that these hours are for. */
  code: string;
  timeZone: string;
  opensAt: string;
  closesAt: string;
};

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * SECOND_MS;
/** A border is at most two days away: a clock change may swallow the time of day at which a day would open. */
const DAYS_LOOKED_AT = 3;

/** @returns seconds since midnight. */
function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

/** Whether messages may leave at a moment. */
export function isOpenAt({ timeZone, opensAt, closesAt }: Omit<QuietHours, "code">, atMs: number): boolean {
  const localMs = atMs + offsetMs(timeZone, atMs);
  const second = Math.floor((((localMs % DAY_MS) + DAY_MS) % DAY_MS) / SECOND_MS);
  const [opens, closes] = [secondsOf(opensAt), secondsOf(closesAt)];
  return opens < closes ? second >= opens && second < closes : second >= opens || second < closes;
}

/** @returns the first moment after `atMs` at which it opens or closes, in milliseconds; undefined when it never does. */
export function nextBorderMs(hours: Omit<QuietHours, "code">, atMs: number): number | undefined {
  const isOpen = isOpenAt(hours, atMs);
  return bordersAfter(hours, atMs).find((borderMs) => isOpenAt(hours, borderMs) !== isOpen);
}

/** @returns the first moment from `at` on at which messages may leave, when they may not at `at`; undefined when they may. */
export function findOpening(hours: Omit<QuietHours, "code">, at: Date): Date | undefined {
  const atMs = at.getTime();
  if (isOpenAt(hours, atMs)) return undefined;
  const openingMs = nextBorderMs(hours, atMs);
  return openingMs === undefined ? undefined : new Date(openingMs);
}

/** Where something may change: both times on each of the next days, by every offset of those days, and where the offset itself changes. */
function bordersAfter({ timeZone, opensAt, closesAt }: Omit<QuietHours, "code">, atMs: number): number[] {
  const days = Array.from({ length: DAYS_LOOKED_AT + 1 }, (_, day) => atMs + (day - 1) * DAY_MS);
  const offsets = new Set(days.map((dayMs) => offsetMs(timeZone, dayMs)));
  const found: number[] = [];
  for (const ms of offsets) {
    for (const dayMs of days) {
      const midnightMs = Math.floor((dayMs + ms) / DAY_MS) * DAY_MS;
      for (const time of [opensAt, closesAt]) found.push(midnightMs + secondsOf(time) * SECOND_MS - ms);
    }
  }
  for (const [index, dayMs] of days.entries()) {
    const nextMs = days[index + 1];
    if (nextMs !== undefined) found.push(...findOffsetChange(timeZone, dayMs, nextMs));
  }
  return found.filter((borderMs) => borderMs > atMs).toSorted((one, other) => one - other);
}

function findOffsetChange(timeZone: string, fromMs: number, toMs: number): number[] {
  const before = offsetMs(timeZone, fromMs);
  if (offsetMs(timeZone, toMs) === before) return [];
  let low = Math.floor(fromMs / SECOND_MS);
  let high = Math.ceil(toMs / SECOND_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(timeZone, middle * SECOND_MS) === before) low = middle;
    else high = middle;
  }
  return [high * SECOND_MS];
}
