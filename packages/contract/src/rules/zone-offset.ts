const formats = new Map<string, Intl.DateTimeFormat>();

/** @returns how far a zone's clock is ahead of UTC at a moment, in milliseconds. */
export function offsetMs(timeZone: string, atMs: number): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  return localMs - Math.floor(atMs / 1_000) * 1_000;
}
