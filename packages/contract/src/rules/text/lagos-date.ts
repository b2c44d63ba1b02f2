/** Nigeria is an hour ahead of UTC all year round. */
const LAGOS_OFFSET_MS = 3_600_000;

/** Day and time in Lagos, for texts: `2026-03-05 14:30 (Lagos time)`. */
export function lagosMoment(time: Date): string {
  return `${new Date(time.getTime() + LAGOS_OFFSET_MS).toISOString().slice(0, 16).replace("T", " ")} (Lagos time)`;
}

/** The moment at which a day, `2026-03-05`, begins in Lagos. */
export function lagosDayStart(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - LAGOS_OFFSET_MS);
}

/** The day in Lagos: `2026-03-05`. Apart from the schemas, because light pages ask for it. */
export function lagosDate(now: Date): string {
  return new Date(now.getTime() + LAGOS_OFFSET_MS).toISOString().slice(0, 10);
}
