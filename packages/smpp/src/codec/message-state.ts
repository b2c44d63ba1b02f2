/**
 * States of a message at the carrier (section 5.2.28), in the order of their numbers. `scheduled` is of SMPP 5.0 and
 * is sent by some 3.4 carriers.
 */
export const messageStates = [
  "scheduled",
  "enroute",
  "delivered",
  "expired",
  "deleted",
  "undeliverable",
  "accepted",
  "unknown",
  "rejected",
  "skipped",
] as const;

export type MessageState = (typeof messageStates)[number];

/** The seven letters that stand behind `stat:` in a receipt's text (appendix B). */
export const receiptWords: Readonly<Record<MessageState, string>> = {
  scheduled: "SCHEDLD",
  enroute: "ENROUTE",
  delivered: "DELIVRD",
  expired: "EXPIRED",
  deleted: "DELETED",
  undeliverable: "UNDELIV",
  accepted: "ACCEPTD",
  unknown: "UNKNOWN",
  rejected: "REJECTD",
  skipped: "SKIPPED",
};

/** @returns undefined for a number that names no state. */
export function messageStateFromNumber(value: number): MessageState | undefined {
  return messageStates[value];
}

export function messageStateNumber(state: MessageState): number {
  return messageStates.indexOf(state);
}

/**
 * Whether nothing more is to be expected. `unknown` is final in the specification ("message is in invalid state"), but
 * carriers send it before the real one, so it yields to every other final state: see `messageStateRank`.
 */
export function isFinalMessageState(state: MessageState): boolean {
  return messageStateRank(state) > 1;
}

const ranks: Readonly<Record<MessageState, number>> = {
  scheduled: 0,
  enroute: 0,
  accepted: 1,
  unknown: 2,
  delivered: 3,
  expired: 3,
  deleted: 3,
  undeliverable: 3,
  rejected: 3,
  skipped: 3,
};

/** Receipts come twice and out of order: the one with the higher rank stands, of equal ranks the first. */
export function messageStateRank(state: MessageState): number {
  return ranks[state];
}

const statesByWordStart: Readonly<Record<string, MessageState>> = {
  SCHE: "scheduled",
  ENRO: "enroute",
  BUFF: "enroute",
  ACCE: "accepted",
  DELI: "delivered",
  EXPI: "expired",
  DELE: "deleted",
  UNDE: "undeliverable",
  FAIL: "undeliverable",
  UNKN: "unknown",
  REJE: "rejected",
  SKIP: "skipped",
};

/**
 * Reads the word behind `stat:`. Carriers spell out words, cut them at other lengths and differ in case, so the first
 * four letters decide.
 *
 * @returns undefined when the word names no state.
 */
export function messageStateFromWord(word: string): MessageState | undefined {
  return statesByWordStart[word.slice(0, 4).toUpperCase()];
}
