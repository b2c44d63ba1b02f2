/** Moments and repeats as bodies name them. */
import { z } from "zod";

/** A moment of any time zone: `2026-12-24T18:00:00+01:00`. */
export const momentSchema = z.iso.datetime({
  offset: true,
  error: "must be a date and time with an offset, such as 2026-12-24T18:00:00+01:00",
});

/** Until when recipients are handed over; who is left then gets nothing, and is not charged. */
export const validUntilSchema = momentSchema.optional();

const DAYS = { day: 0, week: 7, month: 31 } as const;

/** How a scheduled message is sent again, at its local time; without `on` on the weekday, or the day of the month, of the first. */
export const repeatSchema = z
  .strictObject({
    every: z.enum(["day", "week", "month"]),
    /** Weekdays 1 (Monday) to 7 of a week; days 1 to 31 of a month, of which one that a month lacks is its last. */
    on: z.array(z.int().min(1)).min(1, "names no day").max(DAYS.month).optional(),
    /** The last moment at which it may be sent. */
    until: momentSchema.optional(),
  })
  .refine(({ every, on }) => every !== "day" || on === undefined, { path: ["on"], message: "is for week and month" })
  .refine(({ every, on = [] }) => every === "day" || on.every((day) => day <= DAYS[every]), {
    path: ["on"],
    message: "names a day that is none",
  })
  .refine(({ on = [] }) => new Set(on).size === on.length, { path: ["on"], message: "names a day twice" });
export type RepeatBody = z.infer<typeof repeatSchema>;
