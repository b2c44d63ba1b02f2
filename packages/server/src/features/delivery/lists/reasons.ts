/**
 * Why a recipient's message failed: a short code in the row, plain words on the page.
 *
 * `status:<number>` is the carrier's command status, `report:<state>:<carrier's own code>` a delivery report, the others
 * are ours.
 */
import { commandStatus, commandStatusName } from "@ewebal/smpp";

export type OwnReason = "dnd-listed" | "no-route" | "not-encodable" | "answer-lost" | "not-kept";

const ownReasons: Record<OwnReason, string> = {
  "dnd-listed": "On the do-not-disturb list; not sent and not charged",
  "no-route": "No carrier takes messages to this number; not charged",
  "not-encodable": "The carrier's protocol cannot carry this number or sender name; not charged",
  "not-kept": "What became of this recipient is no longer kept; the message's counts still hold it",
  "answer-lost": "Handed to the carrier, but its answer was lost. A delivery report may still settle it",
};

const statusReasons = new Map<number, string>([
  [commandStatus.ESME_RINVDSTADR, "The carrier does not know this number; not charged"],
  [commandStatus.ESME_RINVSRCADR, "The carrier does not accept this sender name; not charged"],
  [commandStatus.ESME_RINVDSTTON, "The carrier does not know this number; not charged"],
  [commandStatus.ESME_RINVDSTNPI, "The carrier does not know this number; not charged"],
  [commandStatus.ESME_RSUBMITFAIL, "The carrier could not take the message; not charged"],
  [commandStatus.ESME_RX_P_APPN, "The carrier refused the message; not charged"],
  [commandStatus.ESME_RX_R_APPN, "The carrier refused the message; not charged"],
]);

const reportReasons = new Map<string, string>([
  ["expired", "The phone could not be reached in time"],
  ["deleted", "The carrier deleted the message"],
  ["undeliverable", "The message could not be delivered"],
  ["rejected", "The network rejected the message"],
  ["unknown", "The carrier does not know what became of the message"],
  ["skipped", "The carrier skipped the message"],
]);

export function statusReason(status: number): string {
  return `status:${status}`;
}

/** @param errorCode as the carrier wrote it; "000" and empty say nothing and are left out. */
export function reportReason(state: string, errorCode: string): string {
  return /^0*$/.test(errorCode) ? `report:${state}` : `report:${state}:${errorCode}`;
}

/** @returns a sentence for the customer; empty for null. */
export function reasonInWords(code: string | null): string {
  if (code === null) return "";
  if (code in ownReasons) return ownReasons[code as OwnReason];
  const [kind, detail = "", ...rest] = code.split(":");
  if (kind === "status") {
    const status = Number(detail);
    return statusReasons.get(status) ?? `The carrier refused the message (${commandStatusName(status)}); not charged`;
  }
  const sentence = reportReasons.get(detail) ?? "The message was not delivered";
  return rest.length > 0 ? `${sentence} (carrier's code ${rest.join(":")})` : sentence;
}
