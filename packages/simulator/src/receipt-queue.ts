import type { MessageState, ServerSession } from "@ewebal/smpp";
import type { CarriedMessage } from "./carried-message.ts";

export type SentReceipt = {
  readonly message: CarriedMessage;
  readonly state: MessageState;
  /** A copy or an intermediate state: nothing depends on its being acknowledged. */
  readonly isExtra: boolean;
};

/** Receipts that are due, first come, first served, for whichever session can take them. */
export class ReceiptQueue {
  readonly #send: (session: ServerSession<SentReceipt>, sent: SentReceipt) => boolean;
  #waiting: SentReceipt[] = [];
  #first = 0;

  /** @param send false: the session takes no more now. */
  constructor(send: (session: ServerSession<SentReceipt>, sent: SentReceipt) => boolean) {
    this.#send = send;
  }

  add(receipt: SentReceipt): void {
    this.#waiting.push(receipt);
  }

  pump(sessions: Iterable<ServerSession<SentReceipt>>): void {
    for (const session of sessions) {
      while (this.#first < this.#waiting.length && session.canDeliver()) {
        const next = this.#waiting[this.#first];
        if (next === undefined || !this.#send(session, next)) break;
        this.#first += 1;
      }
    }
    if (this.#first === this.#waiting.length) this.#waiting = [];
    else if (this.#first > 10_000) this.#waiting = this.#waiting.slice(this.#first);
    else return;
    this.#first = 0;
  }
}
