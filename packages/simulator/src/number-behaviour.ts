import { commandStatus } from "@ewebal/smpp";

/**
 * What happens to a message, by the last four digits of its number. README.md has the same table for people; a test
 * compares the two.
 */
export type NumberBehaviour = {
  /** What to expect, in words. */
  readonly meaning: string;
  /** The state in the receipt, and the carrier's code behind `err:`. */
  readonly state: "delivered" | "undeliverable" | "expired" | "rejected";
  readonly errorCode: string;
  /** The status with which the submit is refused. */
  readonly refusal?: number;
  /** Refused only in the first half of every two seconds, so that trying again helps. */
  readonly isRefusalPassing?: boolean;
  /** An ENROUTE receipt comes first, and the final one four times as late. */
  readonly isSlow?: boolean;
  /** The submit_sm_resp never comes; the message is accepted all the same. */
  readonly isUnanswered?: boolean;
  readonly isReceiptMissing?: boolean;
  readonly isReceiptDoubled?: boolean;
  /** The receipt comes before the submit_sm_resp. */
  readonly isReceiptEarly?: boolean;
};

const delivered = { state: "delivered", errorCode: "000" } as const;

const usual: NumberBehaviour = { meaning: "Delivered", ...delivered };

export const behaviourByEnding: ReadonlyMap<string, NumberBehaviour> = new Map<string, NumberBehaviour>([
  ["9901", { meaning: "On the do-not-disturb list (DND)", state: "rejected", errorCode: "088" }],
  ["9902", { meaning: "Unknown subscriber", state: "undeliverable", errorCode: "001" }],
  ["9903", { meaning: "Absent subscriber: switched off", state: "expired", errorCode: "027", isSlow: true }],
  ["9904", { meaning: "Refused at submit", ...delivered, refusal: commandStatus.ESME_RINVDSTADR }],
  [
    "9905",
    { meaning: "Throttled now and then", ...delivered, refusal: commandStatus.ESME_RTHROTTLED, isRefusalPassing: true },
  ],
  [
    "9906",
    { meaning: "System error now and then", ...delivered, refusal: commandStatus.ESME_RSYSERR, isRefusalPassing: true },
  ],
  ["9907", { meaning: "Accepted, but the answer is lost", ...delivered, isUnanswered: true }],
  ["9908", { meaning: "Delivered, but no receipt comes", ...delivered, isReceiptMissing: true }],
  ["9909", { meaning: "Delivered, the receipt comes twice", ...delivered, isReceiptDoubled: true }],
  ["9910", { meaning: "Delivered, the receipt comes before the answer", ...delivered, isReceiptEarly: true }],
]);

export function behaviourOf(number: string): NumberBehaviour {
  return behaviourByEnding.get(number.slice(-4)) ?? usual;
}

const PASSING_PERIOD_MS = 2000;

/** @returns the status with which a submit at this moment is refused, or undefined. */
export function refusalOf(behaviour: NumberBehaviour, nowMs: number): number | undefined {
  if (behaviour.isRefusalPassing === true && nowMs % PASSING_PERIOD_MS >= PASSING_PERIOD_MS / 2) return undefined;
  return behaviour.refusal;
}
