import { describe, expect, test } from "vitest";
import { anchorRepeat, listRepeatTimes, type Repeat } from "./repeat-times.ts";

const times = (repeat: Repeat, first: string, timeZone: string, count = 3): string[] => {
  const from = new Date(first);
  return listRepeatTimes(anchorRepeat(repeat, from, timeZone), timeZone, from, count).map((time) => time.toISOString());
};

describe("times of a message that repeats", () => {
  test.each<[string, Repeat, string, string, string[]]>([
    [
      "each day",
      { every: "day" },
      "2026-11-23T09:00:00+01:00",
      "Africa/Lagos",
      ["2026-11-23T08:00:00.000Z", "2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"],
    ],
    [
      "the weekday of the first",
      { every: "week" },
      "2026-11-23T08:00:00Z",
      "Africa/Lagos",
      ["2026-11-23T08:00:00.000Z", "2026-11-30T08:00:00.000Z", "2026-12-07T08:00:00.000Z"],
    ],
    [
      "weekdays that are named",
      { every: "week", on: [5, 2] },
      "2026-11-23T08:00:00Z",
      "Africa/Lagos",
      ["2026-11-24T08:00:00.000Z", "2026-11-27T08:00:00.000Z", "2026-12-01T08:00:00.000Z"],
    ],
    [
      "a day that a month lacks",
      { every: "month", on: [31] },
      "2027-01-31T08:00:00Z",
      "Africa/Lagos",
      ["2027-01-31T08:00:00.000Z", "2027-02-28T08:00:00.000Z", "2027-03-31T08:00:00.000Z"],
    ],
    [
      "two days that are one",
      { every: "month", on: [30, 31] },
      "2027-02-01T08:00:00Z",
      "Africa/Lagos",
      ["2027-02-28T08:00:00.000Z", "2027-03-30T08:00:00.000Z", "2027-03-31T08:00:00.000Z"],
    ],
    [
      "a local day before that of UTC",
      { every: "week" },
      "2026-11-23T23:30:00Z",
      "Africa/Lagos",
      ["2026-11-23T23:30:00.000Z", "2026-11-30T23:30:00.000Z", "2026-12-07T23:30:00.000Z"],
    ],
    [
      "the clock is put forward",
      { every: "day" },
      "2027-03-27T09:00:00Z",
      "Europe/London",
      ["2027-03-27T09:00:00.000Z", "2027-03-28T08:00:00.000Z", "2027-03-29T08:00:00.000Z"],
    ],
    [
      "the clock is put back",
      { every: "day" },
      "2026-10-24T08:00:00Z",
      "Europe/London",
      ["2026-10-24T08:00:00.000Z", "2026-10-25T09:00:00.000Z", "2026-10-26T09:00:00.000Z"],
    ],
    [
      "a time that is left out",
      { every: "day" },
      "2027-03-27T01:30:00Z",
      "Europe/London",
      ["2027-03-27T01:30:00.000Z", "2027-03-28T01:30:00.000Z", "2027-03-29T00:30:00.000Z"],
    ],
    [
      "a time that comes twice",
      { every: "day" },
      "2026-10-24T00:30:00Z",
      "Europe/London",
      ["2026-10-24T00:30:00.000Z", "2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
    ],
    [
      "an end",
      { every: "day", until: "2026-11-24T09:00:00+01:00" },
      "2026-11-23T08:00:00Z",
      "Africa/Lagos",
      ["2026-11-23T08:00:00.000Z", "2026-11-24T08:00:00.000Z"],
    ],
    [
      "the last day of a leap February",
      { every: "month", on: [30] },
      "2028-02-01T08:00:00Z",
      "UTC",
      ["2028-02-29T08:00:00.000Z", "2028-03-30T08:00:00.000Z", "2028-04-30T08:00:00.000Z"],
    ],
  ])("%s", (_name, repeat, first, timeZone, expected) => {
    expect(times(repeat, first, timeZone)).toEqual(expected);
  });
});
