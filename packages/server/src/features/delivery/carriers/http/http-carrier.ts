/**
 * A carrier over HTTP, one request a message. To the engine it is a link like an SMPP bind: it has a window (requests under way), a pace that slows
 * when the carrier asks for less, and it is up or down.
 *
 * down (its share is not held here) -> up; up -> paused (nobody answers, or the carrier turns our requests away) -> probing (one request at
 * a time) -> up, or paused for longer.
 */
import { fillTemplate, type HttpLink } from "@ewebal/contract";
import { Pace, retryDelayMs } from "@ewebal/smpp";
import type { Logger } from "pino";
import type { LookupFunction } from "node:net";
import type { Carrier, CarrierHandlers, CarrierMessage, CarrierOutcome, LinkHealth, PreparedText } from "../carrier.ts";
import { HttpClient, type HttpOutcome, type HttpRequest } from "./http-client.ts";
import { judgeAnswer, readRetryAfterMs, type Verdict } from "./judge-answer.ts";

/** Longer than the grace that a link has (`linkGrace`), so that what waits goes to other carriers meanwhile. */
const PAUSE_MS = 3_000;
const PAUSE_MS_MAX = 60_000;
const FAULT_DELAY_MS = 1_000;
const NOT_SENT_DELAY_MS = 20;
const DRAIN_MS = 10_000;
const DRAIN_POLL_MS = 10;
/** Until requests that were given up have said so. */
const CLOSE_MS = 500;

export type HttpCarrierOptions = {
  name: string;
  link: HttpLink;
  window: number;
  messagesPerSecond: number;
  /** How the host's name becomes an address. */
  lookup?: LookupFunction | undefined;
  log: Logger;
};

type HttpText = PreparedText & { readonly text: string };

export class HttpCarrier<Context extends object> implements Carrier<Context> {
  readonly name: string;
  readonly isCallingBack = true;
  readonly #options: HttpCarrierOptions;
  readonly #handlers: CarrierHandlers<Context>;
  readonly #client: HttpClient;
  readonly #pace: Pace;
  #isHeld = false;
  #isClosed = false;
  #openCount = 0;
  #isProbing = false;
  #isPaused = false;
  #pauseMs = PAUSE_MS;
  #pauseTimer: NodeJS.Timeout | undefined;
  #paceTimer: NodeJS.Timeout | undefined;
  #lastError: LinkHealth["lastError"];

  constructor(options: HttpCarrierOptions, handlers: CarrierHandlers<Context>) {
    this.name = options.name;
    this.#options = options;
    this.#handlers = handlers;
    const { window, link, lookup } = options;
    this.#client = new HttpClient({ connectionsMax: window, timeoutMs: link.timeoutMs, lookup });
    this.#pace = new Pace(options.messagesPerSecond, performance.now());
  }

  get windowSize(): number {
    return this.#isHeld ? this.#options.window : 0;
  }

  get isUp(): boolean {
    return this.#isHeld && !this.#isPaused;
  }

  get health(): LinkHealth {
    return { boundCount: this.isUp ? 1 : 0, openCount: this.#openCount, lastError: this.#lastError };
  }

  /** There is one share of a carrier over HTTP, so that its pace and window hold whatever number of workers runs. */
  async holdBinds(bindIndexes: readonly number[]): Promise<void> {
    const isHeld = bindIndexes.length > 0;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (!isHeld) await this.#drain(DRAIN_MS);
    queueMicrotask(() => {
      this.#handlers.onLinkChange();
      this.#handlers.onReady();
    });
  }

  /** The provider cuts long texts itself. */
  prepare(text: string): HttpText {
    return { partCount: 1, text };
  }

  canTake(): boolean {
    if (!this.isUp || this.#isClosed) return false;
    if (this.#openCount >= (this.#isProbing ? 1 : this.#options.window)) return false;
    const nowMs = performance.now();
    if (this.#pace.hasToken(nowMs)) return true;
    this.#paceTimer ??= setTimeout(() => {
      this.#paceTimer = undefined;
      this.#handlers.onReady();
    }, this.#pace.delayMs(nowMs));
    return false;
  }

  take(context: Context, message: CarrierMessage): void {
    this.#pace.take();
    this.#openCount += 1;
    const id = `${message.messageId}-${message.position}`;
    const { text } = message.text as HttpText;
    const request = buildRequest(this.#options.link, { to: message.phoneNo, from: message.senderName, text, id });
    void this.#client.send(request).then((outcome) => this.#settle(context, outcome, id));
  }

  /** Takes no more, and gives up what has no answer by then. */
  async close(drainMs: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#paceTimer);
    clearTimeout(this.#pauseTimer);
    await this.#drain(drainMs);
    this.#client.close();
    await this.#drain(CLOSE_MS);
  }

  async #drain(drainMs: number): Promise<void> {
    const deadlineMs = performance.now() + drainMs;
    while (this.#openCount > 0 && performance.now() < deadlineMs)
      await new Promise((done) => setTimeout(done, DRAIN_POLL_MS));
  }

  #settle(context: Context, outcome: HttpOutcome, id: string): void {
    this.#openCount -= 1;
    this.#handlers.onOutcome(context, this.#toOutcome(outcome, id));
    this.#handlers.onReady();
  }

  #toOutcome(outcome: HttpOutcome, id: string): CarrierOutcome {
    if (outcome.kind === "notWritten") {
      this.#pause(outcome.reason);
      return notTaken;
    }
    if (outcome.kind === "lost") {
      this.#note(outcome.reason);
      return { kind: "unknown" };
    }
    const verdict = judgeAnswer(this.#options.link, outcome, id);
    if (verdict.kind === "shut") {
      this.#pause(shutInWords(outcome.status));
      return notTaken;
    }
    this.#answers();
    return this.#judged(verdict, readRetryAfterMs(outcome.retryAfter));
  }

  #judged(verdict: Exclude<Verdict, { kind: "shut" }>, retryAfterMs: number | undefined): CarrierOutcome {
    const nowMs = performance.now();
    switch (verdict.kind) {
      case "accepted":
        this.#pace.onAccepted(nowMs);
        return { kind: "accepted", keys: verdict.key === "" ? [] : [verdict.key] };
      case "refused":
        this.#pace.onAccepted(nowMs);
        return { kind: "refused", reason: verdict.reason };
      case "throttled": {
        if (this.#pace.onThrottled(nowMs)) {
          const { messagesPerSecond } = this.#pace;
          this.#options.log.info({ carrier: this.name, messagesPerSecond }, "carrier asked for less");
        }
        const afterMs = Math.max(retryAfterMs ?? 0, retryDelayMs());
        return { kind: "deferred", afterMs, isPartial: false, isFault: false, reason: verdict.reason };
      }
      case "retry": {
        this.#note(`The carrier did not take a message (${verdict.reason})`);
        const afterMs = Math.max(retryAfterMs ?? 0, FAULT_DELAY_MS * (0.5 + Math.random()));
        return { kind: "deferred", afterMs, isPartial: false, isFault: true, reason: verdict.reason };
      }
      case "unknown":
        this.#note(`The carrier's answer says nothing certain (${verdict.reason})`);
        return { kind: "unknown" };
      default:
        return verdict satisfies never;
    }
  }

  #note(text: string): void {
    this.#lastError = { text, at: new Date() };
  }

  /** Nothing goes out for a while, then one request at a time until one is answered. */
  #pause(reason: string): void {
    this.#note(reason);
    if (this.#isPaused || this.#isClosed) return;
    this.#isPaused = true;
    const retryInMs = this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MS_MAX);
    this.#options.log.warn({ carrier: this.name, reason, retryInMs }, "carrier cannot be used for now");
    this.#pauseTimer = setTimeout(() => {
      this.#isPaused = false;
      this.#isProbing = true;
      this.#handlers.onLinkChange();
      this.#handlers.onReady();
    }, retryInMs);
    this.#handlers.onLinkChange();
  }

  /** An answer about a message, whatever it says. */
  #answers(): void {
    if (this.#isProbing && !this.#isPaused) this.#options.log.info({ carrier: this.name }, "carrier answers again");
    this.#isProbing = false;
    this.#pauseMs = PAUSE_MS;
  }
}

const notTaken = {
  kind: "deferred",
  afterMs: NOT_SENT_DELAY_MS,
  isPartial: false,
  isFault: false,
  reason: "not-sent",
} as const;

/** @param values each of the places; the carrier's secrets are in its templates. */
export function buildRequest(
  { method, url, headers, body }: HttpLink,
  values: Readonly<Record<"to" | "from" | "text" | "id", string>>,
): HttpRequest {
  const filled: Record<string, string> = { ...OWN_HEADERS };
  for (const { name, value } of headers) filled[name.toLowerCase()] = fillTemplate(value, "header", values);
  return {
    url: new URL(fillTemplate(url, "address", values)),
    method,
    headers: filled,
    body: body && fillTemplate(body.template, body.form, values),
  };
}

const OWN_HEADERS = { accept: "application/json", "accept-encoding": "identity", "user-agent": "Ewebal" };

export function shutInWords(status: number): string {
  if (status === 401 || status === 403 || status === 407) return `The carrier refuses our key or password (${status})`;
  if (status < 400) return `The carrier's address leads elsewhere (${status})`;
  return `Nothing takes messages at the carrier's address (${status})`;
}
