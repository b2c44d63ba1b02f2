/** The rules of the forms that change a rate or a customer's price. Times are Lagos time, which has no summer time. */
import { messageClasses, type MessageClass } from "@ewebal/contract/rules";

type RateValues = { rate: string; for: string; when: string; from: string; time: string };

const RATE_TEXT = /^[0-9]{1,4}(?:\.[0-9]{1,3})?$/;

/** The characters that the field keeps. */
export function cleanRate(text: string): string {
  return text.replaceAll(/[^0-9.]/g, "").slice(0, 8);
}

/** @returns naira; undefined for a text that is no rate. */
export function readRate(text: string): number | undefined {
  return RATE_TEXT.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** @returns the time in the server's format; undefined means at once. */
export function readFrom({ when, from, time }: RateValues): string | undefined {
  return when === "later" ? `${from}T${time}:00+01:00` : undefined;
}

/** The missing parts, in words for "Still needed: ...". */
export function findMissingForRate(values: RateValues, nowMs: number = Date.now()): string[] {
  const { rate, when, from, time } = values;
  const isLater = when === "later";
  const isDay = /^\d{4}-\d\d-\d\d$/.test(from);
  const hasTime = isDay && time !== "";
  return [
    readRate(rate) === undefined && "a rate above 0 with at most three decimals",
    isLater && !isDay && "a date",
    isLater && time === "" && "a time",
    isLater && hasTime && Date.parse(readFrom(values) ?? "") <= nowMs && "a time that is still to come",
  ].filter((word) => word !== false);
}

/** @returns undefined for both classes. */
export function readClass(text: string): MessageClass | undefined {
  return messageClasses.find((one) => one === text);
}
