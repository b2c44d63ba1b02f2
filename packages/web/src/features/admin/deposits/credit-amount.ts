/** The units of the Credit User modal: digits and commas, as specified. */
import { limits, parseUnitsText } from "@ewebal/contract/rules";
import { formatCount } from "../../../lib/texts/format.ts";

/** Half the deposited amount, whole: what the modal offers. (specification, section 9) */
export function defaultUnits(amountDeposited: number): string {
  return formatCount(Math.max(1, Math.floor(amountDeposited / 2)));
}

/** What the field keeps of what is typed. */
export function cleanUnitsText(text: string): string {
  return text.replaceAll(/[^0-9,]/g, "").slice(0, 20);
}

/** @returns whole units, or undefined for what the server would refuse: `10,5` is a slip, not ten and a half. */
export function readUnits(text: string): number | undefined {
  const read = parseUnitsText(text);
  return read.kind === "units" && read.units >= 1 && read.units <= limits.unitsMaxPerCredit ? read.units : undefined;
}
