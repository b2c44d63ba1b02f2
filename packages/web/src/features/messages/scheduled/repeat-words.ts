import type { RepeatBody } from "@ewebal/contract";

/** ISO weekdays from 1. */
export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** `Every week on Mon and Fri`, `Every month on day 5`, `Every day`. */
export function repeatInWords({ every, on = [] }: Pick<RepeatBody, "every" | "on">): string {
  if (every === "day") return "Every day";
  const days = on.map((day) => (every === "week" ? weekdays[day - 1] : day === 31 ? "the last day" : `day ${day}`));
  const list = new Intl.ListFormat("en-NG").format(days.filter((day) => day !== undefined));
  return list === "" ? `Every ${every}` : `Every ${every} on ${list}`;
}
