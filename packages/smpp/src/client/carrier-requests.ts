import type { MessageRequest, MessageStatus } from "../codec/message-requests.ts";

/**
 * What became of a query_sm, cancel_sm or replace_sm.
 *
 * done: the carrier did it; after a query `status` is what it said.
 * refused: it did not; `status` is its command status. Carriers that know none of these requests answer ESME_RINVCMDID.
 * unanswered: nobody knows: the link was lost or the answer took longer than `responseTimeoutMs`.
 * notSent: not bound, or 100 requests are open already.
 */
export type RequestOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "unanswered" }
  | { readonly kind: "notSent" };

export type QueryOutcome =
  | { readonly kind: "found"; readonly status: MessageStatus }
  | Exclude<RequestOutcome, { kind: "done" }>;

/** These requests are rare beside submits; a peer that asks for more at one time has lost count. */
const OPEN_MAX = 100;

type OpenRequest = {
  readonly kind: MessageRequest["kind"];
  readonly resolve: (outcome: RequestOutcome | QueryOutcome) => void;
  readonly timer: NodeJS.Timeout;
};

/** The requests of one bind that wait for their answer. They have no share in the window of submits. */
export class CarrierRequests {
  readonly #open = new Map<number, OpenRequest>();

  get hasRoom(): boolean {
    return this.#open.size < OPEN_MAX;
  }

  get openCount(): number {
    return this.#open.size;
  }

  put(sequence: number, kind: MessageRequest["kind"], timeoutMs: number): Promise<RequestOutcome | QueryOutcome> {
    const { promise, resolve } = Promise.withResolvers<RequestOutcome | QueryOutcome>();
    const timer = setTimeout(() => this.#settle(sequence, { kind: "unanswered" }), timeoutMs);
    this.#open.set(sequence, { kind, resolve, timer });
    return promise;
  }

  has(sequence: number): boolean {
    return this.#open.has(sequence);
  }

  /** @param found what a query was answered; a query without it is treated as unanswered. */
  answer(sequence: number, found: MessageStatus | undefined): void {
    const kind = this.#open.get(sequence)?.kind;
    if (kind !== "query") this.#settle(sequence, { kind: "done" });
    else this.#settle(sequence, found === undefined ? { kind: "unanswered" } : { kind: "found", status: found });
  }

  refuse(sequence: number, status: number): void {
    this.#settle(sequence, { kind: "refused", status });
  }

  /** The link is gone. */
  drain(): void {
    for (const sequence of this.#open.keys()) this.#settle(sequence, { kind: "unanswered" });
  }

  #settle(sequence: number, outcome: RequestOutcome | QueryOutcome): void {
    const request = this.#open.get(sequence);
    if (request === undefined) return;
    clearTimeout(request.timer);
    this.#open.delete(sequence);
    request.resolve(outcome);
  }
}
