/**
 * Times of day in a time zone. A schedule is what the person typed; when that is, is asked of the browser's own tables of
 * zones, which know every change of the clocks.
 */
import type { RepeatBody } from "@ewebal/contract";
import { formatRelative } from "../../../lib/texts/format.ts";

export type Schedule = {
  /** `2026-03-06` */
  date: string;
  /** `09:00` */
  time: string;
  /** An IANA name. */
  timeZone: string;
  /** As the calls take it. */
  repeat?: RepeatBody | undefined;
};

/** The contract's own would bring zod along; a test compares them. */
export const DEFAULT_TIME_ZONE = "Africa/Lagos";
export const AHEAD_DAYS_MAX = 366;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The full hour that is at least one hour away, in Lagos. */
export function startSchedule(nowMs: number = Date.now()): Schedule {
  return scheduleAt(Math.ceil(nowMs / HOUR_MS + 1) * HOUR_MS, DEFAULT_TIME_ZONE);
}

/** @returns what a calendar and a clock in that zone show. */
export function scheduleAt(atMs: number, timeZone: string): Schedule {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? "";
  return {
    date: `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`,
    time: `${part("hour")}:${part("minute")}`,
    timeZone,
  };
}

/**
 * @returns the moment in milliseconds, the first of the two in the hour that comes twice when clocks go back; undefined for
 * a time that the clocks jump over, and for what is no date.
 */
export function findMoment({ date, time, timeZone }: Schedule): number | undefined {
  const asUtcMs = readWallMs(date, time);
  if (Number.isNaN(asUtcMs)) return undefined;
  // The zone's offsets before and after any change of the clocks that day.
  const offsets = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((nearMs) => offsetMsAt(nearMs, timeZone));
  const moments = offsets
    .map((offsetMs) => asUtcMs - offsetMs)
    .filter((atMs) => offsetMsAt(atMs, timeZone) === asUtcMs - atMs);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** A year of more than four digits is one that is still being typed, and 31 February is not 3 March. */
function readWallMs(date: string, time: string): number {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return Number.NaN;
  const wallMs = Date.parse(`${date}T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(date) ? Number.NaN : wallMs;
}

function offsetMsAt(atMs: number, timeZone: string): number {
  const { date, time } = scheduleAt(atMs, timeZone);
  return readWallMs(date, time) - Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

/** @returns the moment as the server takes it, `2026-03-06T09:00:00+01:00`; undefined when there is none. */
export function writeSendAt(schedule: Schedule): string | undefined {
  const atMs = findMoment(schedule);
  if (atMs === undefined) return undefined;
  const offsetMinutes = offsetMsAt(atMs, schedule.timeZone) / MINUTE_MS;
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${schedule.date}T${schedule.time.slice(0, 5)}:00${offsetMinutes < 0 ? "-" : "+"}${hours}:${minutes}`;
}

/** What is still needed before it can be scheduled, in words for "Still needed: ...". */
export function findScheduleFaults(schedule: Schedule, nowMs: number = Date.now()): string[] {
  const { date, time, timeZone, repeat } = schedule;
  if (date === "" || time === "")
    return [date === "" && "date", time === "" && "time"].filter((name) => name !== false);
  const atMs = findMoment(schedule);
  if (atMs === undefined) return [`a time that clocks in ${nameZone(timeZone)} show`];
  if (atMs <= nowMs) return ["a time that is still to come"];
  if (repeat?.on?.length === 0) return [repeat.every === "week" ? "a weekday" : "a day of the month"];
  if (repeat?.until !== undefined && Date.parse(repeat.until) < atMs) return ["an end after the first time"];
  return atMs > nowMs + AHEAD_DAYS_MAX * DAY_MS ? ["a time within a year"] : [];
}

/** `Africa/Lagos`, `America/New York` */
export function nameZone(timeZone: string): string {
  return timeZone.replaceAll("_", " ");
}

/** `Fri, 6 Mar 2026, 09:00 WAT` */
export function formatInZone(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-NG", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(new Date(iso));
}

/** `Fri, 6 Mar 2026, 09:00 WAT, in 18 hours`; undefined while there is no such moment. */
export function scheduleInWords(schedule: Schedule, nowMs: number = Date.now()): string | undefined {
  const atMs = findMoment(schedule);
  if (atMs === undefined) return undefined;
  const iso = new Date(atMs).toISOString();
  return `${formatInZone(iso, schedule.timeZone)}, ${formatRelative(iso, nowMs)}`;
}
