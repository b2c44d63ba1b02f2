import type { PhoneLimits } from "./settings.ts";

/** A whole message as a phone shows it. */
export type PhoneMessage = {
  readonly id: number;
  readonly sender: string;
  readonly text: string;
  readonly partCount: number;
  readonly receivedAtMs: number;
};

/** A phone in the list: its newest message, and how many are kept. */
export type PhoneSummary = {
  readonly number: string;
  readonly messageCount: number;
  readonly newest: PhoneMessage;
};

type Kept = {
  readonly number: string;
  readonly message: PhoneMessage;
  isEvicted: boolean;
};

const limitsDefault: PhoneLimits = { messagesPerNumberMax: 50, messagesMax: 20_000, charactersMax: 4_000_000 };

/** What arrived where, the newest of it: memory stays the same however much is sent. */
export class VirtualPhones {
  readonly #limits: PhoneLimits;
  readonly #byNumber = new Map<string, Kept[]>();
  /** All messages in order of arrival; evicted ones stay until they come to the front or the list is cleaned. */
  #arrivals: Kept[] = [];
  #firstArrival = 0;
  #messageCount = 0;
  #characterCount = 0;

  constructor(limits: PhoneLimits = limitsDefault) {
    this.#limits = limits;
  }

  get messageCount(): number {
    return this.#messageCount;
  }

  receive(number: string, message: PhoneMessage): void {
    const kept: Kept = { number, message, isEvicted: false };
    const messages = this.#byNumber.get(number) ?? [];
    messages.push(kept);
    this.#byNumber.set(number, messages);
    this.#arrivals.push(kept);
    this.#messageCount += 1;
    this.#characterCount += message.text.length;
    if (messages.length > this.#limits.messagesPerNumberMax) this.#evict(messages[0]);
    while (this.#isOverLimit()) {
      this.#evict(this.#arrivals[this.#firstArrival]);
      this.#firstArrival += 1;
    }
    if (this.#arrivals.length > this.#limits.messagesMax * 2) this.#clean();
  }

  /** @returns newest first; empty for a number that got nothing. */
  listMessages(number: string): PhoneMessage[] {
    return (this.#byNumber.get(number) ?? []).map(({ message }) => message).toReversed();
  }

  /**
   * Phones by their newest message, newest first.
   *
   * @param after the message before which to go on: `newest` of the last phone of the page before.
   */
  listPhones(page: { limit: number; after?: Pick<PhoneMessage, "receivedAtMs" | "id"> }): PhoneSummary[] {
    const { limit, after } = page;
    const phones: PhoneSummary[] = [];
    for (const [number, messages] of this.#byNumber) {
      const newest = messages.at(-1)?.message;
      if (newest === undefined || (after !== undefined && compareNewestFirst(newest, after) <= 0)) continue;
      phones.push({ number, messageCount: messages.length, newest });
    }
    return phones.toSorted((a, b) => compareNewestFirst(a.newest, b.newest)).slice(0, limit);
  }

  #isOverLimit(): boolean {
    return this.#messageCount > this.#limits.messagesMax || this.#characterCount > this.#limits.charactersMax;
  }

  /** Always the oldest of its number, as the oldest of all are. */
  #evict(kept: Kept | undefined): void {
    if (kept === undefined || kept.isEvicted) return;
    kept.isEvicted = true;
    this.#messageCount -= 1;
    this.#characterCount -= kept.message.text.length;
    const messages = this.#byNumber.get(kept.number);
    messages?.shift();
    if (messages?.length === 0) this.#byNumber.delete(kept.number);
  }

  #clean(): void {
    this.#arrivals = this.#arrivals.slice(this.#firstArrival).filter(({ isEvicted }) => !isEvicted);
    this.#firstArrival = 0;
  }
}

type Moment = Pick<PhoneMessage, "receivedAtMs" | "id">;

/** Ids break ties, so that a page never repeats or leaves out a phone. */
function compareNewestFirst(a: Moment, b: Moment): number {
  return b.receivedAtMs - a.receivedAtMs || b.id - a.id;
}
