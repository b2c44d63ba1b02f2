import type { CarrierAnswer, CarrierHealthAnswer } from "@ewebal/contract";
import { formatCount } from "../../../lib/texts/format.ts";

export type CarrierState = {
  word: "Bound" | "Partly bound" | "Connecting" | "Off" | "Locked" | "No worker";
  color: "green" | "yellow" | "red" | "gray";
};

/** One word for how a carrier does. */
export function stateOf({ isEnabled, isLocked, health }: CarrierAnswer): CarrierState {
  if (!isEnabled) return { word: "Off", color: "gray" };
  if (isLocked) return { word: "Locked", color: "red" };
  if (health.link === "idle") return { word: "No worker", color: "gray" };
  if (health.link === "connecting") return { word: "Connecting", color: "red" };
  return health.boundBinds < health.heldBinds
    ? { word: "Partly bound", color: "yellow" }
    : { word: "Bound", color: "green" };
}

export const sourceWords: Readonly<Record<CarrierAnswer["source"], string>> = {
  configuration: "From configuration",
  administrators: "Added here",
  simulator: "Built in",
};

/** `99.2% of 1,204`, or that there was nothing to judge. */
export function goodShare({ goodCount, badCount }: CarrierHealthAnswer): string {
  const total = goodCount + badCount;
  if (total === 0) return "No messages";
  // Never rounded up to a hundred that it is not.
  return `${Math.floor((goodCount / total) * 1_000) / 10}% of ${formatCount(total)}`;
}

export function prefixesInWords(prefixes: readonly string[]): string {
  return prefixes.length === 0 ? "Every number" : prefixes.join(", ");
}
