const LOCALE = "en-NG";
const unitsFormat = once(() => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const rateFormat = once(() => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 3 }));
const countFormat = once(() => new Intl.NumberFormat(LOCALE));
const dateTimeFormat = once(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" }));
const timeFormat = once(
  () => new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
);
const relativeFormat = once(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" }));

/** Units with two decimals and thousands separators: `1,234.50`. */
export function formatUnits(units: number): string {
  return unitsFormat().format(units);
}

/** Naira with thousands separators and two decimals: `₦1,234.00`. */
export function formatNaira(naira: number): string {
  return `₦${unitsFormat().format(naira)}`;
}

/** The price of a page: two decimals, and a third where there is one: `3.00`, `5.925`. */
export function formatRate(naira: number): string {
  return rateFormat().format(naira);
}

/** `12,345` */
export function formatCount(count: number): string {
  return countFormat().format(count);
}

/** A count with its noun: `1 recipient`, `12,345 recipients`. */
export function formatCounted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${formatCount(count)} ${noun}s`;
}

/** Said behind a count of numbers: empty, or ` · 2 repeated numbers count once`. */
export function formatRepeated(count: number): string {
  return count === 0 ? "" : ` · ${formatCounted(count, "repeated number")} ${count === 1 ? "counts" : "count"} once`;
}

/** Of a Nigerian number without its prefix. */
const PHONE_DIGITS = 10;

/** A stored phone number (no prefix) as it is shown: `+234 8031234567`. One with more digits, which the sign-up form takes, says that it is none. */
export function formatPhone(phoneNo: string): string {
  return phoneNo.length > PHONE_DIGITS ? `${phoneNo} (not a Nigerian number)` : `+234 ${phoneNo}`;
}

export function formatDateTime(iso: string): string {
  return dateTimeFormat().format(new Date(iso));
}

/** `08:00`, by this device's clock. */
export function formatTimeOfDay(iso: string): string {
  return timeFormat().format(new Date(iso));
}

const steps = [
  { unit: "year", ms: 31_557_600_000 },
  { unit: "month", ms: 2_629_800_000 },
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

/** `5 minutes ago`, `yesterday`, `in 2 hours`; under a minute it is `just now`. */
export function formatRelative(iso: string, nowMs: number = Date.now()): string {
  const differenceMs = new Date(iso).getTime() - nowMs;
  const step = steps.find(({ ms }) => Math.abs(differenceMs) >= ms);
  return step === undefined ? "just now" : relativeFormat().format(Math.trunc(differenceMs / step.ms), step.unit);
}

/** Makes something when it is first asked for: a number format costs a phone 20 ms, which no page should pay before its first drawing. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** @returns the address that calls a number: digits, and the plus where there is one. */
export function toPhoneAddress(phone: string): string {
  return `tel:${phone.replaceAll(/[^+0-9]/g, "")}`;
}

/**
 * When a message went out. `createdAt` of a scheduled one is when it was written, which may be months before.
 *
 * @returns ISO 8601.
 */
export function sentAt({ sendAt, createdAt }: { sendAt?: string | undefined; createdAt: string }): string {
  return sendAt ?? createdAt;
}
