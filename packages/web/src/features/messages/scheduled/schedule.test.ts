import { DEFAULT_TIME_ZONE as CONTRACT_TIME_ZONE, SCHEDULE_AHEAD_DAYS_MAX } from "@ewebal/contract";
import { expect, test } from "vitest";
import {
  AHEAD_DAYS_MAX,
  DEFAULT_TIME_ZONE,
  findMoment,
  findScheduleFaults,
  formatInZone,
  nameZone,
  scheduleAt,
  scheduleInWords,
  startSchedule,
  writeSendAt,
} from "./schedule.ts";

const nowMs = Date.parse("2026-03-05T10:20:00.000Z");
const lagos = { date: "2026-03-06", time: "09:00", timeZone: "Africa/Lagos" };
const momentOf = (schedule: typeof lagos): string | undefined => {
  const atMs = findMoment(schedule);
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
};

test("what is no date is no moment", () => {
  for (const date of ["", "2026-02-31", "12026-03-06", "soon"]) expect(momentOf({ ...lagos, date })).toBeUndefined();
  for (const time of ["", "9", "25:00"]) expect(momentOf({ ...lagos, time })).toBeUndefined();
});

test("a time that the clocks jump over does not exist, and one that comes twice is the first", () => {
  const london = { date: "2026-03-29", time: "01:30", timeZone: "Europe/London" };
  expect(momentOf(london)).toBeUndefined();
  expect(findScheduleFaults(london, nowMs)).toEqual(["a time that clocks in Europe/London show"]);
  expect(momentOf({ ...london, date: "2026-10-25" })).toBe("2026-10-25T00:30:00.000Z");
});

test("a time of day is the moment when clocks of that zone show it, on both sides of a change", () => {
  expect(momentOf(lagos)).toBe("2026-03-06T08:00:00.000Z");
  expect(momentOf({ ...lagos, timeZone: "Asia/Kathmandu" })).toBe("2026-03-06T03:15:00.000Z");
  expect(momentOf({ date: "2026-03-29", time: "00:30", timeZone: "Europe/London" })).toBe("2026-03-29T00:30:00.000Z");
  expect(momentOf({ date: "2026-03-29", time: "02:30", timeZone: "Europe/London" })).toBe("2026-03-29T01:30:00.000Z");
  expect(momentOf({ date: "2026-10-25", time: "02:30", timeZone: "Europe/London" })).toBe("2026-10-25T02:30:00.000Z");
});

test("every zone's moment shows the same time of day again", () => {
  for (const timeZone of Intl.supportedValuesOf("timeZone")) {
    const schedule = { date: "2026-06-15", time: "12:34", timeZone };
    expect(scheduleAt(findMoment(schedule) ?? Number.NaN, timeZone), timeZone).toEqual(schedule);
  }
});

test("the server gets the time with its offset", () => {
  expect(writeSendAt({ ...lagos, date: "" })).toBeUndefined();
  expect(writeSendAt(lagos)).toBe("2026-03-06T09:00:00+01:00");
  expect(writeSendAt({ ...lagos, timeZone: "America/St_Johns" })).toBe("2026-03-06T09:00:00-03:30");
  expect(writeSendAt({ ...lagos, timeZone: "UTC" })).toBe("2026-03-06T09:00:00+00:00");
});

test("what is missing is named; what has passed is refused", () => {
  expect(findScheduleFaults({ ...lagos, date: "", time: "" }, nowMs)).toEqual(["date", "time"]);
  expect(findScheduleFaults({ ...lagos, date: "2026-03-05", time: "11:20" }, nowMs)).toEqual([
    "a time that is still to come",
  ]);
  expect(findScheduleFaults({ ...lagos, date: "2027-03-07" }, nowMs)).toEqual(["a time within a year"]);
  expect(findScheduleFaults({ ...lagos, date: "2026-03-05", time: "11:21" }, nowMs)).toEqual([]);
});

test("a schedule begins at a full hour that is an hour away at least, in Lagos", () => {
  expect(startSchedule(nowMs)).toEqual({ date: "2026-03-05", time: "13:00", timeZone: "Africa/Lagos" });
  expect(startSchedule(Date.parse("2026-03-05T22:00:00.000Z"))).toEqual({
    date: "2026-03-06",
    time: "00:00",
    timeZone: "Africa/Lagos",
  });
});

test("a time is said with its zone, and how far away it is", () => {
  expect(nameZone("America/New_York")).toBe("America/New York");
  expect(formatInZone("2026-03-06T08:00:00.000Z", "Africa/Lagos")).toBe("Fri, 6 Mar 2026, 09:00 WAT");
  expect(scheduleInWords(lagos, nowMs)).toBe("Fri, 6 Mar 2026, 09:00 WAT, in 21 hours");
  expect(scheduleInWords({ ...lagos, time: "" }, nowMs)).toBeUndefined();
});

test("the page and the server agree on zone and reach", () => {
  expect([DEFAULT_TIME_ZONE, AHEAD_DAYS_MAX]).toEqual([CONTRACT_TIME_ZONE, SCHEDULE_AHEAD_DAYS_MAX]);
});
