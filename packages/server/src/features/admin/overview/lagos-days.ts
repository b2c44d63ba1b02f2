import { lagosDate } from "@ewebal/contract";

const DAY_MS = 86_400_000;
/** Lagos is an hour ahead of UTC, all year. */
const LAGOS_OFFSET_MS = 3_600_000;

/** The moment in which that time's day of Lagos began. */
export function lagosDayStart(time: Date): Date {
  return new Date(Math.floor((time.getTime() + LAGOS_OFFSET_MS) / DAY_MS) * DAY_MS - LAGOS_OFFSET_MS);
}

/** The last days of Lagos in order, `YYYY-MM-DD`; that of `now` is the last. */
export function lastLagosDays(now: Date, dayCount: number): string[] {
  return Array.from({ length: dayCount }, (_, index) =>
    lagosDate(new Date(now.getTime() - (dayCount - 1 - index) * DAY_MS)),
  );
}
