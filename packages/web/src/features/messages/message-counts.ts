import "./state-colors.css";
import type { ListedState, MessageAnswer, MessageCounts, MessageUnits, RecipientState } from "@ewebal/contract";
import { MILLI_PER_UNIT } from "@ewebal/contract/rules";
import { formatCount, formatRate, sentAt } from "../../lib/texts/format.ts";

type StateWords = {
  label: string;
  /** In a sentence after a number. */
  word: string;
  meaning: string;
};

export const stateWords: Record<ListedState, StateWords> = {
  delivered: { label: "Delivered", word: "delivered", meaning: "Delivered to the phone" },
  sent: { label: "Sent", word: "sent", meaning: "Accepted by the network, no delivery report yet" },
  waiting: { label: "Waiting", word: "waiting", meaning: "Not sent yet" },
  unknown: { label: "Unknown", word: "unknown", meaning: "Sent, but the network did not confirm it" },
  failed: { label: "Failed", word: "failed", meaning: "The network could not deliver it" },
  dnd: { label: "DND", word: "DND", meaning: "On the do-not-disturb list" },
  cancelled: { label: "Cancelled", word: "cancelled", meaning: "Cancelled before it was sent; not charged" },
  optedOut: {
    label: "Opted out",
    word: "opted out",
    meaning: "Wants no more messages from you; not sent, not charged",
  },
  expired: {
    label: "Expired",
    word: "expired",
    meaning: "Not sent before the message’s time was over; not charged",
  },
  notKept: {
    label: "No longer kept",
    word: "no longer kept",
    meaning: "Results for single recipients of that month have been deleted",
  },
};

/** From the best news to the worst, and what is not done yet last: so the bar fills from the left. */
export const stateOrder: readonly RecipientState[] = [
  "delivered",
  "sent",
  "unknown",
  "failed",
  "dnd",
  "optedOut",
  "cancelled",
  "expired",
  "waiting",
];

export type StateCount = {
  state: RecipientState;
  count: number;
};

/** States that somebody is in, in order. */
export function listCounts(counts: MessageCounts): StateCount[] {
  return stateOrder.flatMap((state) => {
    const count = counts[state] ?? 0;
    return count > 0 ? [{ state, count }] : [];
  });
}

export function sumCounts(counts: MessageCounts): number {
  return stateOrder.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/** `9,800 delivered, 150 failed, 50 DND` */
export function countsInWords(counts: MessageCounts): string {
  return listCounts(counts)
    .map(({ state, count }) => `${formatCount(count)} ${stateWords[state].word}`)
    .join(", ");
}

/** Whether reports may still change the counts. A carrier gives up after three days; what has no report then never gets one. */
export function isSettled(
  message: { counts: MessageCounts; sendAt?: string | undefined; createdAt: string },
  nowMs: number = Date.now(),
): boolean {
  const { counts } = message;
  if (counts.waiting > 0) return false;
  const areReportsOpen = counts.sent + counts.unknown > 0;
  return !areReportsOpen || nowMs - Date.parse(sentAt(message)) > REPORTS_OPEN_MS;
}

const REPORTS_OPEN_MS = 3 * 86_400_000;

/** Whether every number was on the do-not-disturb list or opted out: nothing was sent, nothing charged. */
export function isSentToNobody({ recipients, counts }: Pick<MessageAnswer, "recipients" | "counts">): boolean {
  return recipients > 0 && counts.dnd + (counts.optedOut ?? 0) === recipients;
}

/** What a message takes of the units as far as it is known: charged and still reserved. Exact: three decimals at most. */
export function chargeOf({ charged, reserved }: MessageUnits): number {
  // Two decimal fractions add up to one with a tail.
  return Math.round((charged + reserved) * MILLI_PER_UNIT) / MILLI_PER_UNIT;
}

/** What is worth saying beside the charge: what of it may still come back, or what did; empty for neither. */
export function chargeNote({ reserved, returned }: MessageUnits): string {
  if (reserved > 0) return `${formatRate(reserved)} reserved`;
  return returned > 0 ? `${formatRate(returned)} returned` : "";
}
