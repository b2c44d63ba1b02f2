/** When a message that repeats is sent: at the same time of day in its time zone, also across changes of the clock. Pure. */
import { offsetMs } from "./zone-offset.ts";

/** `week`: `on` holds weekdays, 1 (Monday) to 7; `month`: days, of which one that a month lacks is its last. */
export type Repeat = {
  every: "day" | "week" | "month";
  on?: number[] | undefined;
  /** The last moment at which it may be sent. */
  until?: string | undefined;
};

/** With what the first time decided: the time of day, `09:30:00`, and the days where none were named. */
export type AnchoredRepeat = Repeat & { at: string };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A day of every month, and every weekday, comes up within these. */
const DAYS_LOOKED_AT_MAX = 400;

type LocalTime = { year: number; month: number; day: number; time: string };

/** @param first when it is to be sent first. */
export function anchorRepeat(repeat: Repeat, first: Date, timeZone: string): AnchoredRepeat {
  const { year, month, day, time } = localTimeOf(first, timeZone);
  if (repeat.every === "day" || repeat.on !== undefined) return { ...repeat, at: time };
  return { ...repeat, on: [repeat.every === "week" ? weekdayOf(year, month, day) : day], at: time };
}

/**
 * The next times, in order, fewer where the repeat ends.
 *
 * @param from the first moment that counts.
 */
export function listRepeatTimes(repeat: AnchoredRepeat, timeZone: string, from: Date, countMax: number): Date[] {
  const { year, month, day } = localTimeOf(from, timeZone);
  const untilMs = repeat.until === undefined ? Infinity : Date.parse(repeat.until);
  const times: Date[] = [];
  // Days are counted at noon of UTC, where no clock changes.
  const firstNoonMs = Date.UTC(year, month - 1, day, 12);
  for (let index = 0; index < DAYS_LOOKED_AT_MAX * countMax && times.length < countMax; index += 1) {
    const noon = new Date(firstNoonMs + index * DAY_MS);
    const date = { year: noon.getUTCFullYear(), month: noon.getUTCMonth() + 1, day: noon.getUTCDate() };
    if (!isDayOf(repeat, date)) continue;
    const time = momentOf({ ...date, time: repeat.at }, timeZone);
    if (time.getTime() > untilMs) break;
    if (time >= from) times.push(time);
  }
  return times;
}

function isDayOf({ every, on = [] }: Repeat, { year, month, day }: Omit<LocalTime, "time">): boolean {
  if (every === "day") return true;
  if (every === "week") return on.includes(weekdayOf(year, month, day));
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return on.some((wanted) => Math.min(wanted, last) === day);
}

function weekdayOf(year: number, month: number, day: number): number {
  return ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1;
}

function localTimeOf(moment: Date, timeZone: string): LocalTime {
  const wall = new Date(moment.getTime() + offsetMs(timeZone, moment.getTime()));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    time: wall.toISOString().slice(11, 19),
  };
}

/** A time that the clock leaves out is as much later as it is put forward; of one that it shows twice the first is meant. */
function momentOf({ year, month, day, time }: LocalTime, timeZone: string): Date {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  const wallMs = Date.UTC(year, month - 1, day, hours, minutes, seconds);
  const before = offsetMs(timeZone, wallMs - DAY_MS);
  const after = offsetMs(timeZone, wallMs + DAY_MS);
  const early = wallMs - before;
  if (before === after || offsetMs(timeZone, early) === before) return new Date(early);
  const late = wallMs - after;
  return new Date(offsetMs(timeZone, late) === after ? late : early);
}
