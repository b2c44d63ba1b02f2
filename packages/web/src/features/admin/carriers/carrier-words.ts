/** How a carrier does, in words: on its own page, on the overview and beside the alarms. */
import type { CarrierAnswer, CarrierHealthAnswer } from "@ewebal/contract";
import { formatCount } from "../../../lib/texts/format.ts";

export type CarrierWord =
  | "Connected"
  | "Partly connected"
  | "Connecting"
  | "Ready"
  | "Not answering"
  | "Off"
  | "Locked"
  | "No worker";

type CarrierState = {
  word: CarrierWord;
  color: "green" | "yellow" | "red" | "gray";
};

/** One word for the state of a carrier. One over HTTP has no connection that stands: it is ready until it does not answer. */
export function stateOf({
  kind,
  isEnabled,
  isLocked,
  health,
}: Pick<CarrierAnswer, "kind" | "isEnabled" | "isLocked" | "health">): CarrierState {
  if (!isEnabled) return { word: "Off", color: "gray" };
  if (isLocked) return { word: "Locked", color: "red" };
  if (health.link === "idle") return { word: "No worker", color: "gray" };
  if (kind === "http")
    return health.link === "bound" ? { word: "Ready", color: "green" } : { word: "Not answering", color: "red" };
  if (health.link === "connecting") return { word: "Connecting", color: "red" };
  return health.boundBinds < health.heldBinds
    ? { word: "Partly connected", color: "yellow" }
    : { word: "Connected", color: "green" };
}

/** `99.2% of 1,204`; "No messages" when there are no answers. */
export function goodShare({ goodCount, badCount }: CarrierHealthAnswer): string {
  const total = goodCount + badCount;
  if (total === 0) return "No messages";
  // Rounded down, so that 100% means every answer was good.
  return `${Math.floor((goodCount / total) * 1_000) / 10}% of ${formatCount(total)}`;
}
