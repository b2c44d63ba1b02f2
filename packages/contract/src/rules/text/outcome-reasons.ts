/**
 * Why a recipient did not get a message, and what to do about it: in people's words, once for the page, the files and the API.
 * Which of them a carrier's answer means is the server's to know.
 */
type ReasonWords = {
  /** What happened; no full stop at its end. */
  reason: string;
  /** What the customer can do; empty for nothing. */
  advice: string;
};

const TRY_LATER = "Resend later";
const CHECK_NUMBER = "Check the number; if it is right, remove it from your catalog";
const ASK_US = "Resend later, and contact us if it happens again";
const LEAVE_OPTED_OUT = "Leave the number out; it comes back when this person sends START";
const LEAVE_DND = "Only its owner can leave the list: by texting ALLOW to 2442";

export const outcomeReasons = {
  dndListed: { reason: "On the do-not-disturb list; not sent and not charged", advice: LEAVE_DND },
  optedOut: { reason: "Opted out of your messages; not sent and not charged", advice: LEAVE_OPTED_OUT },
  expired: {
    reason: "Not sent before the time until which the message was valid; not charged",
    advice: "Send it again",
  },
  dndReported: { reason: "Blocked by the network: the number is on the do-not-disturb list", advice: LEAVE_DND },
  noRoute: {
    reason: "No carrier takes messages to this number; not charged",
    advice: "Contact us to ask for this country or network",
  },
  notEncodable: {
    reason: "This number or sender name cannot be sent to this carrier; not charged",
    advice: "Use a sender name of plain letters and digits",
  },
  answerLost: {
    reason: "Sent to the carrier, but its answer was lost",
    advice: "Wait: its result may still arrive",
  },
  unreadable: {
    reason: "The code could not be read any more: the server's key was replaced; not charged",
    advice: "Send a new code",
  },
  notKept: { reason: "The result is no longer kept; the totals of the message are", advice: "" },
  unknownNumber: { reason: "Number not in service; not charged", advice: CHECK_NUMBER },
  notInService: { reason: "Number not in service", advice: CHECK_NUMBER },
  outOfReach: { reason: "Phone off or out of reach", advice: TRY_LATER },
  validityOver: { reason: "The time was over before the message could be delivered", advice: TRY_LATER },
  phoneFull: { reason: "The phone has no room for messages", advice: TRY_LATER },
  barred: { reason: "This phone does not take messages like this one", advice: "Reach this person another way" },
  senderRefused: {
    reason: "The carrier does not accept this sender name; not charged",
    advice: "Use another approved sender name, or contact us",
  },
  carrierFailed: { reason: "The carrier could not take the message; not charged", advice: TRY_LATER },
  carrierRefused: { reason: "The carrier refused the message; not charged", advice: ASK_US },
  undeliverable: {
    reason: "The network could not deliver the message",
    advice: "Check the number, then resend later",
  },
  rejected: { reason: "The network rejected the message", advice: "Check the text and the sender name, or contact us" },
  deleted: { reason: "The carrier deleted the message", advice: ASK_US },
  skipped: { reason: "The carrier skipped the message", advice: ASK_US },
  notDelivered: { reason: "The message was not delivered", advice: ASK_US },
} as const satisfies Record<string, ReasonWords>;

export type OutcomeReason = keyof typeof outcomeReasons;

/** Stands in place of a text that was removed, wherever the text would. */
export const TEXT_NOT_KEPT = "This text is no longer kept";
