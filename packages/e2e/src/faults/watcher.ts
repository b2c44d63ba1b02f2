/**
 * Looks at every message again and again while a run goes on, through whichever host answers, and takes down what went backwards: a
 * state that was taken back, a count that fell, a message that is gone.
 */
import type { ListedState, MessageCounts, RecipientAnswer } from "@ewebal/contract";
import type { ApiClient } from "../testing/api-client.ts";

/** From each state, which may follow. A final report stands: nothing follows it. */
const mayFollow: Record<ListedState, readonly ListedState[]> = {
  waiting: ["unknown", "sent", "delivered", "failed", "dnd", "cancelled", "optedOut", "expired"],
  unknown: ["sent", "delivered", "failed", "dnd"],
  sent: ["delivered", "failed", "dnd"],
  delivered: [],
  failed: [],
  dnd: [],
  cancelled: [],
  notKept: [],
  optedOut: [],
  expired: [],
};

export type WatchedMessage = { tag: string; messageId: string; customer: ApiClient };

export class Watcher {
  readonly faults: string[] = [];
  /** How many answers were compared; none would prove nothing. */
  lookCount = 0;
  readonly #states = new Map<string, ListedState>();
  readonly #counts = new Map<string, MessageCounts>();

  /** @param recipients all of the message, or those of one page of them. */
  seeRecipients(tag: string, recipients: readonly Pick<RecipientAnswer, "phoneNo" | "state">[]): void {
    this.lookCount += 1;
    for (const { phoneNo, state } of recipients) {
      const key = `${tag} ${phoneNo}`;
      const before = this.#states.get(key);
      this.#states.set(key, state);
      if (before !== undefined && before !== state && !mayFollow[before].includes(state))
        this.faults.push(`${tag} to ${phoneNo} went from ${before} back to ${state}`);
    }
  }

  seeCounts(tag: string, counts: MessageCounts): void {
    this.lookCount += 1;
    const before = this.#counts.get(tag);
    this.#counts.set(tag, counts);
    if (before === undefined) return;
    if (counts.waiting > before.waiting)
      this.faults.push(`${tag} has ${counts.waiting} waiting, after ${before.waiting}`);
    for (const name of ["delivered", "failed", "dnd"] as const) {
      if (counts[name] < before[name]) this.faults.push(`${tag} has ${counts[name]} ${name}, after ${before[name]}`);
    }
    if (sumOf(counts) !== sumOf(before))
      this.faults.push(`${tag} counts ${sumOf(counts)} recipients, after ${sumOf(before)}`);
  }
}

function sumOf(counts: MessageCounts): number {
  return Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
