/** Hours in words, by the clock of their own zone. */
import { isOpenAt, nextBorderMs, type QuietHours } from "@ewebal/contract/rules";

type Hours = Omit<QuietHours, "code">;

/** `08:00 to 20:00`, `22:00 to 06:00 the next day` or `At any time`. */
export function hoursInWords({ opensAt, closesAt }: Hours): string {
  if (isStart(opensAt) && closesAt.startsWith("24:00")) return "At any time";
  if (isStart(opensAt) && isStart(closesAt)) return "At any time";
  const isOverMidnight = closesAt < opensAt && !isStart(closesAt);
  return `${opensAt} to ${isStart(closesAt) ? "24:00" : closesAt}${isOverMidnight ? " the next day" : ""}`;
}

function isStart(time: string): boolean {
  return time === "00:00" || time === "00:00:00";
}

/** `Open until Tue 20:00`, `Closed until Wed 08:00`, or what never changes. */
export function stateInWords(hours: Hours, nowMs: number): string {
  const state = isOpenAt(hours, nowMs) ? "Open" : "Closed";
  const borderMs = nextBorderMs(hours, nowMs);
  if (borderMs === undefined) return `Always ${state.toLowerCase()}`;
  const border = new Intl.DateTimeFormat("en-GB", {
    timeZone: hours.timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return `${state} until ${border.format(borderMs).replace(",", "")}`;
}
