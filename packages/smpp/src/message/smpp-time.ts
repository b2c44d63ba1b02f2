/** Times as SMPP writes them (section 7.1.1), and as receipts do (appendix B). */

const SMPP_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([-+R])$/;
const QUARTER_MS = 15 * 60_000;

/**
 * Reads schedule_delivery_time or validity_period: `YYMMDDhhmmsstnnp`, where `p` is `+` or `-` for a time that is `nn` quarters of an hour ahead
 * of or behind UTC, and `R` for so many years, months, days and so on from now.
 *
 * @returns undefined for an empty text, "wrong" for one that is no such time.
 */
export function readSmppTime(text: string, now: Date): Date | "wrong" | undefined {
  if (text === "") return undefined;
  const match = SMPP_TIME.exec(text);
  if (match === null) return "wrong";
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, tenths = 0, quarters = 0] = match
    .slice(1, 9)
    .map(Number);
  if (match[9] === "R") {
    const end = new Date(now);
    end.setUTCFullYear(end.getUTCFullYear() + year, end.getUTCMonth() + month, end.getUTCDate() + day);
    end.setUTCHours(end.getUTCHours() + hours, end.getUTCMinutes() + minutes, end.getUTCSeconds() + seconds);
    return end;
  }
  const isInRange =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 31 &&
    hours <= 23 &&
    minutes <= 59 &&
    seconds <= 59 &&
    quarters <= 48;
  if (!isInRange) return "wrong";
  const local = Date.UTC(2000 + year, month - 1, day, hours, minutes, seconds, tenths * 100);
  if (new Date(local).getUTCDate() !== day) return "wrong";
  return new Date(local - (match[9] === "-" ? -quarters : quarters) * QUARTER_MS);
}

/** @returns YYMMDDhhmm of a moment, in UTC: what stands behind `submit date:`. */
export function writeReceiptDate(at: Date): string {
  return at.toISOString().replaceAll(/\D/g, "").slice(2, 12);
}
