import { Backoff } from "./backoff.ts";
import { ClientSession, type ClientSessionOptions, type ClientSessionOwner } from "./client-session.ts";
import type {
  BindRole,
  ClientHandlers,
  ClientOptions,
  ClientState,
  ClientStats,
  Delivery,
  Submit,
  SubmitOutcome,
} from "./client-types.ts";
import type { QueryOutcome, RequestOutcome } from "./carrier-requests.ts";
import type { MessageCancel, MessageQuery, MessageReplace } from "../codec/message-requests.ts";
import { isCredentialStatus } from "../codec/command-status.ts";
import { Pace } from "./pace.ts";
import { ReferenceCounter } from "../message/reference-counter.ts";

const DRAIN_MS_DEFAULT = 10_000;
const MALFORMED_EVENT_EVERY_MS = 1000;

/** What a client does unless it is told otherwise. */
export const sessionDefaults = {
  systemType: "",
  tls: false,
  window: 10,
  submitWith: "submitSm",
  destinationTon: 1,
  destinationNpi: 1,
  enquireAfterMs: 30_000,
  deadlineMs: 10_000,
  responseTimeoutMs: 60_000,
  openDeliveriesMax: 5_000,
  reconnectBaseMs: 100,
  reconnectMaxMs: 30_000,
  steadyAfterMs: 10_000,
} as const;

/** One direction of a client, or both: a bind that is made again whenever it is lost. */
type Link<Context> = {
  readonly role: BindRole;
  readonly backoff: Backoff;
  session: ClientSession<Context> | undefined;
  retry: NodeJS.Timeout | undefined;
  boundAtMs: number | undefined;
  refusedStatus: number | undefined;
};

/**
 * A bind to a carrier that keeps itself up.
 *
 * The caller pulls: while `canSubmit()` is true, `submit` something; `onReady` tells when it is true again. Every
 * submit that was taken ends in one call of `onOutcome` with the context it was given.
 */
export class SmppClient<Context> {
  readonly #handlers: ClientHandlers<Context>;
  readonly #sessionOptions: Omit<ClientSessionOptions, "role">;
  readonly #pace: Pace;
  readonly #references = new ReferenceCounter();
  readonly #links: readonly Link<Context>[];
  #state: ClientState = "idle";
  #whenClosed: (() => void) | undefined;
  #malformedToldAtMs = Number.NEGATIVE_INFINITY;
  readonly #counts = { submitted: 0, accepted: 0, refused: 0, unknown: 0, receipts: 0, binds: 0, lateAnswers: 0 };

  /** @throws RangeError when the rate or the window is out of bounds. */
  constructor(options: ClientOptions, handlers: ClientHandlers<Context>) {
    const settings = { ...sessionDefaults, ...options };
    if (!Number.isInteger(settings.window) || settings.window < 1 || settings.window > 10_000) {
      throw new RangeError(`a window of ${settings.window}`);
    }
    this.#handlers = handlers;
    this.#pace = new Pace(options.messagesPerSecond, performance.now());
    this.#sessionOptions = { ...settings, pace: this.#pace };
    const roles: readonly BindRole[] =
      options.bindMode === "transmitterReceiver" ? ["transmitter", "receiver"] : ["transceiver"];
    this.#links = roles.map((role) => ({
      role,
      backoff: new Backoff({ baseMs: settings.reconnectBaseMs, maxMs: settings.reconnectMaxMs }),
      session: undefined,
      retry: undefined,
      boundAtMs: undefined,
      refusedStatus: undefined,
    }));
  }

  get state(): ClientState {
    return this.#state;
  }

  /** Begins to connect, for good: every loss is followed by another attempt until `close`. */
  start(): void {
    if (this.#state !== "idle") return;
    this.#state = "connecting";
    for (const link of this.#links) this.#connect(link);
  }

  /** Whether a submit would be encoded at once: bound, room in the window, and the rate allows it. */
  canSubmit(): boolean {
    return this.#sender?.canSubmit() ?? false;
  }

  /**
   * Hands over one submit; it is written at the end of this turn. Call it for all parts of a long message in one go:
   * parts that do not fit the window or the rate wait inside, in order, ahead of everything else.
   *
   * @returns false when it was not taken and nothing will be heard of it: not bound, or 255 submits wait already.
   * @throws RangeError when a field does not fit SMPP; it was not taken then.
   */
  submit(submit: Submit, context: Context): boolean {
    const isTaken = this.#sender?.submit(submit, context) ?? false;
    if (isTaken) this.#counts.submitted += 1;
    return isTaken;
  }

  /**
   * Asks what became of a message (query_sm).
   *
   * @throws RangeError when a field does not fit SMPP; nothing was sent then.
   */
  async query(request: Omit<MessageQuery, "kind">): Promise<QueryOutcome> {
    return (
      ((await this.#sender?.ask({ ...request, kind: "query" })) as QueryOutcome | undefined) ?? { kind: "notSent" }
    );
  }

  /** Asks the carrier not to deliver a message that it still holds (cancel_sm). Throws as `query` does. */
  async cancel(request: Omit<MessageCancel, "kind">): Promise<RequestOutcome> {
    return (
      ((await this.#sender?.ask({ ...request, kind: "cancel" })) as RequestOutcome | undefined) ?? { kind: "notSent" }
    );
  }

  /** Puts another text in the place of one that the carrier still holds (replace_sm). Throws as `query` does. */
  async replace(request: Omit<MessageReplace, "kind">): Promise<RequestOutcome> {
    return (
      ((await this.#sender?.ask({ ...request, kind: "replace" })) as RequestOutcome | undefined) ?? { kind: "notSent" }
    );
  }

  /** A reference for the parts of one long message to this destination: see `Submit.reference`. */
  nextReference(destination: string): number {
    return this.#references.next(destination);
  }

  /** Changes the rate's ceiling from now on, e.g. when workers share a carrier's rate anew. */
  setRate(messagesPerSecond: number): void {
    this.#pace.setCeiling(messagesPerSecond);
  }

  stats(): ClientStats {
    const openDeliveries = this.#links.reduce((sum, link) => sum + (link.session?.openDeliveries ?? 0), 0);
    return {
      ...this.#counts,
      state: this.#state,
      openSubmits: this.#sender?.openSubmits ?? 0,
      openDeliveries,
      messagesPerSecond: this.#pace.messagesPerSecond,
    };
  }

  /**
   * Takes no more, waits until what is open is answered (at most `drainMs`, default 10 s), unbinds and closes. What is
   * then still open becomes `unknown`. Calling it again changes nothing.
   */
  close(options: { drainMs?: number } = {}): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#whenClosed;
    this.#whenClosed = () => {
      before?.();
      resolve();
    };
    if (this.#state !== "closing" && this.#state !== "closed") {
      this.#state = "closing";
      for (const link of this.#links) {
        clearTimeout(link.retry);
        link.session?.close(options.drainMs ?? DRAIN_MS_DEFAULT);
      }
    }
    this.#finishClosing();
    return promise;
  }

  get #sender(): ClientSession<Context> | undefined {
    return this.#links[0]?.session;
  }

  #connect(link: Link<Context>): void {
    link.refusedStatus = undefined;
    link.boundAtMs = undefined;
    link.session = new ClientSession({ ...this.#sessionOptions, role: link.role }, this.#ownerOf(link));
  }

  #ownerOf(link: Link<Context>): ClientSessionOwner<Context> {
    return {
      onBound: (peerSystemId) => this.#onBound(link, peerSystemId),
      onBindRefused: (status) => {
        link.refusedStatus = status;
      },
      onOutcome: (context, outcome) => this.#onOutcome(context, outcome),
      onDelivery: (delivery) => this.#onDelivery(delivery),
      onAlert: (alert) => this.#handlers.onEvent({ kind: "alert", alert }),
      onReady: () => this.#handlers.onReady(),
      onThrottled: (status) =>
        this.#handlers.onEvent({ kind: "throttled", status, messagesPerSecond: this.#pace.messagesPerSecond }),
      onMalformed: (commandId) => this.#onMalformed(link.role, commandId),
      onLateAnswer: () => {
        this.#counts.lateAnswers += 1;
      },
      onClosed: (reason) => this.#onClosed(link, reason),
    };
  }

  #onBound(link: Link<Context>, peerSystemId: string): void {
    link.boundAtMs = performance.now();
    this.#counts.binds += 1;
    if (this.#state === "connecting" && link === this.#links[0]) this.#state = "bound";
    this.#handlers.onEvent({ kind: "bound", role: link.role, peerSystemId });
  }

  #onOutcome(context: Context, outcome: SubmitOutcome): void {
    if (outcome.kind !== "notSent") this.#counts[outcome.kind] += 1;
    this.#handlers.onOutcome(context, outcome);
  }

  #onDelivery(delivery: Delivery): void {
    if (delivery.kind === "receipt") this.#counts.receipts += 1;
    this.#handlers.onDelivery(delivery);
  }

  #onMalformed(role: BindRole, commandId: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#malformedToldAtMs < MALFORMED_EVENT_EVERY_MS) return;
    this.#malformedToldAtMs = nowMs;
    this.#handlers.onEvent({ kind: "malformed", role, commandId });
  }

  #onClosed(link: Link<Context>, reason: string): void {
    link.session = undefined;
    const { role, refusedStatus: status } = link;
    if (this.#state === "closing") {
      this.#handlers.onEvent({ kind: "closed", role, reason });
      this.#finishClosing();
      return;
    }
    if (link === this.#links[0]) this.#state = "connecting";
    const retryInMs = this.#pauseAfter(link);
    link.retry = setTimeout(() => this.#connect(link), retryInMs);
    if (status === undefined) this.#handlers.onEvent({ kind: "connectionLost", role, reason, retryInMs });
    else {
      const isCredentialProblem = isCredentialStatus(status);
      this.#handlers.onEvent({ kind: "bindRefused", role, status, isCredentialProblem, retryInMs });
    }
  }

  #pauseAfter(link: Link<Context>): number {
    if (link.refusedStatus !== undefined && isCredentialStatus(link.refusedStatus)) return link.backoff.longDelayMs();
    const hasLasted =
      link.boundAtMs !== undefined && performance.now() - link.boundAtMs >= this.#sessionOptions.steadyAfterMs;
    if (hasLasted) link.backoff.reset();
    return link.backoff.nextDelayMs();
  }

  #finishClosing(): void {
    if (this.#links.some((link) => link.session !== undefined)) return;
    this.#state = "closed";
    this.#whenClosed?.();
    this.#whenClosed = undefined;
  }
}
