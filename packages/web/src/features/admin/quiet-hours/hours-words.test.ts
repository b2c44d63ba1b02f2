import { expect, test } from "vitest";
import { hoursInWords, stateInWords } from "./hours-words.ts";

const timeZone = "Africa/Lagos";

test("hours say their end, also over midnight and at it", () => {
  const words = (opensAt: string, closesAt: string): string => hoursInWords({ timeZone, opensAt, closesAt });
  expect(words("08:00", "20:00")).toBe("08:00 to 20:00");
  expect(words("22:00", "06:00")).toBe("22:00 to 06:00 the next day");
  expect(words("08:00", "00:00")).toBe("08:00 to 24:00");
  expect(words("08:00", "24:00")).toBe("08:00 to 24:00");
  expect(words("00:00", "24:00")).toBe("At any time");
});

test("the state changes at the border, by the clock of the zone", () => {
  const state = (at: string): string =>
    stateInWords({ timeZone, opensAt: "08:00", closesAt: "20:00" }, Date.parse(`2026-11-23T${at}+01:00`));
  expect(state("07:59:59")).toBe("Closed until Mon 08:00");
  expect(state("08:00:00")).toBe("Open until Mon 20:00");
  expect(state("19:59:59")).toBe("Open until Mon 20:00");
  expect(state("20:00:00")).toBe("Closed until Tue 08:00");
});

test("hours that never close say so", () => {
  expect(stateInWords({ timeZone, opensAt: "00:00", closesAt: "24:00" }, 0)).toBe("Always open");
});
