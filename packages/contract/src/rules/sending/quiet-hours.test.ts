import { describe, expect, test } from "vitest";
import { findOpening, isOpenAt, nextBorderMs } from "./quiet-hours.ts";

const LAGOS = { timeZone: "Africa/Lagos", opensAt: "08:00", closesAt: "20:00" };
const at = (text: string) => new Date(text);
const openingOf = (hours: typeof LAGOS, text: string) => findOpening(hours, at(text))?.toISOString();

describe("by the clock of Lagos, 08:00 to 20:00", () => {
  test.each([
    ["2026-11-23T07:59:59.999+01:00", false],
    ["2026-11-23T08:00:00+01:00", true],
    ["2026-11-23T19:59:59.999+01:00", true],
    ["2026-11-23T20:00:00+01:00", false],
    ["2026-11-24T00:00:00+01:00", false],
  ])("%s is open: %s", (text, isOpen) => {
    expect(isOpenAt(LAGOS, at(text).getTime())).toBe(isOpen);
  });

  test("what is accepted in the evening leaves the next morning, in the night the same morning, by day at once", () => {
    expect(openingOf(LAGOS, "2026-11-23T20:00:00+01:00")).toBe("2026-11-24T07:00:00.000Z");
    expect(openingOf(LAGOS, "2026-11-24T03:12:00+01:00")).toBe("2026-11-24T07:00:00.000Z");
    expect(openingOf(LAGOS, "2026-12-31T23:59:59+01:00")).toBe("2027-01-01T07:00:00.000Z");
    expect(openingOf(LAGOS, "2026-11-24T12:00:00+01:00")).toBeUndefined();
  });

  test("the next border is the closing by day and the opening by night", () => {
    expect(nextBorderMs(LAGOS, at("2026-11-23T08:00:00+01:00").getTime())).toBe(Date.parse("2026-11-23T19:00:00Z"));
    expect(nextBorderMs(LAGOS, at("2026-11-23T20:00:00+01:00").getTime())).toBe(Date.parse("2026-11-24T07:00:00Z"));
  });
});

test("hours may go over midnight, be counted in seconds, and be open all day", () => {
  const night = { ...LAGOS, opensAt: "22:00", closesAt: "06:30:15" };
  expect(openingOf(night, "2026-11-23T06:30:14+01:00")).toBeUndefined();
  expect(openingOf(night, "2026-11-23T06:30:15+01:00")).toBe("2026-11-23T21:00:00.000Z");
  const always = { ...LAGOS, opensAt: "00:00", closesAt: "24:00" };
  expect(openingOf(always, "2026-11-23T03:00:00+01:00")).toBeUndefined();
  expect(nextBorderMs(always, Date.now())).toBeUndefined();
  const evening = { ...LAGOS, opensAt: "18:00", closesAt: "24:00" };
  expect(openingOf(evening, "2026-11-23T00:00:00+01:00")).toBe("2026-11-23T17:00:00.000Z");
});

test("the time of day stays across clock changes, and a time that a change swallows is the moment of the change", () => {
  const berlin = { timeZone: "Europe/Berlin", opensAt: "08:00", closesAt: "20:00" };
  expect(openingOf(berlin, "2026-03-28T21:00:00+01:00")).toBe("2026-03-29T06:00:00.000Z");
  expect(openingOf(berlin, "2026-10-24T21:00:00+02:00")).toBe("2026-10-25T07:00:00.000Z");
  // At 02:00 the clocks go to 03:00, so 02:30 never comes.
  expect(openingOf({ ...berlin, opensAt: "02:30" }, "2026-03-29T00:30:00+01:00")).toBe("2026-03-29T01:00:00.000Z");
  // At 03:00 they go back to 02:00, so 02:30 comes twice; what opened at the first closes again for half an hour.
  const back = { ...berlin, opensAt: "02:30" };
  expect(nextBorderMs(back, Date.parse("2026-10-25T02:40:00+02:00"))).toBe(Date.parse("2026-10-25T02:00:00+01:00"));
});
