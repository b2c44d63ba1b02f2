import {
  answerKey,
  buildParts,
  commandStatusName,
  isTemporaryStatus,
  isThrottleStatus,
  readBody,
  receiptKey,
  retryDelayMs,
  SmppClient,
  sourceAddress,
  type Address,
  type ClientEvent,
  type Delivery,
  type InboundMessage,
  type MessagePart,
  type Receipt,
  type SubmitOutcome,
} from "@ewebal/smpp";
import type { Logger } from "pino";
import type { SmppCarrierSettings } from "../../../../base/config-readers.ts";
import type { LookupFunction } from "node:net";
import { readReportState } from "./read-report.ts";
import type {
  Carrier,
  CarrierHandlers,
  CarrierMessage,
  CarrierOutcome,
  CarrierReport,
  InboundText,
  LinkHealth,
  PossibleText,
  PreparedText,
} from "../carrier.ts";

/** A carrier that failed for reasons of its own is asked again after about this long; throttling has its own delay. */
const FAULT_DELAY_MS = 1_000;
/** A message that did not leave this process, because the link went down, goes to the next link at once. */
const NOT_SENT_DELAY_MS = 20;
const DRAIN_MS = 10_000;
const SENDER_ADDRESSES_MAX = 1_000;

export type SmppCarrierOptions = {
  settings: SmppCarrierSettings;
  /** Codes in `err:` by which this carrier says that a number is on the do-not-disturb list. */
  dndErrorCodes: ReadonlySet<string>;
  /** How the host's name becomes an address; see `SmppClient`. */
  lookup?: LookupFunction | undefined;
  log: Logger;
};

type SmppText = PreparedText & { readonly parts: readonly MessagePart[] };

/** Where a message of several parts stands; kept while some of its parts are accepted and others are not. */
type Progress = {
  reference: number;
  keys: (string | undefined)[];
  openCount: number;
  retry: RetryReason | undefined;
  isUnknown: boolean;
  refused: string | undefined;
};
type RetryReason = { afterMs: number; isFault: boolean; reason: string };
type Handed<Context> = { context: Context; partIndex: number; progress: Progress | undefined };

/**
 * A carrier over SMPP: one client per bind, each with its share of the carrier's rate.
 */
export class SmppCarrier<Context extends object> implements Carrier<Context> {
  readonly name: string;
  readonly #options: SmppCarrierOptions;
  readonly #handlers: CarrierHandlers<Context>;
  readonly #clients = new Map<number, SmppClient<Handed<Context>>>();
  #clientList: SmppClient<Handed<Context>>[] = [];
  #nextClient = 0;
  #lastError: LinkHealth["lastError"];
  readonly #senders = new Map<string, Address>();
  readonly #partial = new WeakMap<Context, Progress>();

  constructor(options: SmppCarrierOptions, handlers: CarrierHandlers<Context>) {
    this.name = options.settings.name;
    this.#options = options;
    this.#handlers = handlers;
  }

  get windowSize(): number {
    return this.#options.settings.window * this.#clients.size;
  }

  get isUp(): boolean {
    return this.#clientList.some((client) => client.state === "bound");
  }

  get health(): LinkHealth {
    const stats = this.#clientList.map((client) => client.stats());
    return {
      boundCount: stats.filter(({ state }) => state === "bound").length,
      openCount: stats.reduce((sum, { openSubmits }) => sum + openSubmits, 0),
      lastError: this.#lastError,
    };
  }

  async holdBinds(bindIndexes: readonly number[]): Promise<void> {
    for (const index of bindIndexes) {
      if (this.#clients.has(index)) continue;
      const client = this.#connect();
      this.#clients.set(index, client);
      client.start();
    }
    const dropped = [...this.#clients].filter(([index]) => !bindIndexes.includes(index));
    for (const [index] of dropped) this.#clients.delete(index);
    this.#clientList = [...this.#clients.values()];
    await Promise.all(dropped.map(([, client]) => client.close({ drainMs: DRAIN_MS })));
  }

  async close(drainMs: number): Promise<void> {
    const clients = [...this.#clients.values()];
    await Promise.all(clients.map((client) => client.close({ drainMs })));
  }

  prepare(text: string): SmppText {
    const parts = buildParts(text, { mode: this.#options.settings.longMessages });
    return { partCount: parts.length, parts };
  }

  canTake(): boolean {
    return this.#findClient() !== undefined;
  }

  take(context: Context, message: CarrierMessage): void {
    const client = this.#findClient();
    const { parts } = message.text as SmppText;
    const source = this.#sourceOf(message.senderName);
    const [first] = parts;
    if (client === undefined) return this.#answerLater(context, notTaken);
    try {
      if (parts.length === 1 && first !== undefined) {
        const handed = { context, partIndex: 0, progress: undefined };
        if (!client.submit({ source, destination: message.phoneNo, part: first }, handed))
          this.#answerLater(context, notTaken);
        return;
      }
      this.#takeParts(client, context, message, source);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#answerLater(context, { kind: "refused", reason: "not-encodable" });
    }
  }

  /** All parts in one go on one bind; on a further try only those that the carrier does not have, with the same reference. */
  #takeParts(client: SmppClient<Handed<Context>>, context: Context, message: CarrierMessage, source: Address): void {
    const { parts } = message.text as SmppText;
    const progress = this.#partial.get(context) ?? {
      reference: client.nextReference(message.phoneNo),
      keys: parts.map(() => undefined),
      openCount: 0,
      retry: undefined,
      isUnknown: false,
      refused: undefined,
    };
    progress.retry = undefined;
    this.#partial.set(context, progress);
    for (const [partIndex, part] of parts.entries()) {
      if (progress.keys[partIndex] !== undefined) continue;
      const submit = { source, destination: message.phoneNo, part, reference: progress.reference };
      if (client.submit(submit, { context, partIndex, progress })) progress.openCount += 1;
      else progress.retry = { afterMs: NOT_SENT_DELAY_MS, isFault: false, reason: "not-sent" };
    }
    if (progress.openCount === 0)
      this.#answerLater(context, { kind: "deferred", isPartial: hasKeys(progress), ...(progress.retry ?? notTaken) });
  }

  #onOutcome({ context, partIndex, progress }: Handed<Context>, outcome: SubmitOutcome): void {
    if (progress === undefined) {
      this.#handlers.onOutcome(context, this.#toOutcome(outcome));
      return;
    }
    progress.openCount -= 1;
    this.#addPart(progress, partIndex, this.#toOutcome(outcome));
    if (progress.openCount > 0) return;
    const result = resultOf(progress);
    if (result.kind !== "deferred") this.#partial.delete(context);
    this.#handlers.onOutcome(context, result);
  }

  #addPart(progress: Progress, partIndex: number, outcome: CarrierOutcome): void {
    switch (outcome.kind) {
      case "accepted":
        progress.keys[partIndex] = outcome.keys[0] ?? "";
        return;
      case "deferred":
        progress.retry = outcome;
        return;
      case "refused":
        progress.refused = outcome.reason;
        return;
      case "unknown":
        progress.isUnknown = true;
        return;
    }
  }

  #toOutcome(outcome: SubmitOutcome): CarrierOutcome {
    switch (outcome.kind) {
      case "accepted":
        return {
          kind: "accepted",
          keys: outcome.messageId === "" ? [] : [answerKey(outcome.messageId, this.#options.settings.receiptIds)],
        };
      case "unknown":
        return { kind: "unknown" };
      case "refused":
        return refusalOf(outcome.status);
      case "notSent":
        return notTaken;
      default:
        return outcome satisfies never;
    }
  }

  #onDelivery(delivery: Delivery): void {
    if (delivery.kind === "message") {
      this.#handlers.onInbound(toInbound(delivery));
      return;
    }
    this.#handlers.onReport(new SmppReport(delivery, this.#options.dndErrorCodes));
  }

  #connect(): SmppClient<Handed<Context>> {
    const { settings } = this.#options;
    return new SmppClient<Handed<Context>>(
      {
        host: settings.host,
        port: settings.port,
        systemId: settings.systemId,
        password: settings.password,
        systemType: settings.systemType ?? "",
        tls: settings.tls,
        lookup: this.#options.lookup,
        window: settings.window,
        messagesPerSecond: settings.messagesPerSecond / settings.binds,
      },
      {
        onOutcome: (handed, outcome) => this.#onOutcome(handed, outcome),
        onDelivery: (delivery) => this.#onDelivery(delivery),
        onReady: this.#handlers.onReady,
        onEvent: (event) => this.#onEvent(event),
      },
    );
  }

  #onEvent(event: ClientEvent): void {
    const { log } = this.#options;
    const carrier = this.name;
    switch (event.kind) {
      case "bound":
        log.info({ carrier, role: event.role }, "carrier bound");
        this.#handlers.onLinkChange();
        this.#handlers.onReady();
        return;
      case "bindRefused": {
        const status = commandStatusName(event.status);
        const facts = { carrier, status, retryInMs: event.retryInMs };
        this.#lastError = {
          text: event.isCredentialProblem
            ? `The system id or password is wrong (${status})`
            : `The bind was refused (${status})`,
          at: new Date(),
        };
        if (event.isCredentialProblem) log.error(facts, "carrier refused our name or password");
        else log.warn(facts, "carrier refused the bind");
        this.#handlers.onLinkChange();
        return;
      }
      case "connectionLost":
        log.warn({ carrier, reason: event.reason, retryInMs: event.retryInMs }, "carrier connection lost");
        this.#lastError = { text: `Connection lost: ${event.reason}`, at: new Date() };
        this.#handlers.onLinkChange();
        return;
      case "throttled":
        log.info({ carrier, messagesPerSecond: event.messagesPerSecond }, "carrier asked for less");
        return;
      case "malformed":
        log.warn({ carrier, commandId: event.commandId }, "carrier sent what cannot be read");
        return;
      case "alert":
        log.debug({ carrier, availability: event.alert.availability }, "a phone can be reached again");
        return;
      case "closed":
        this.#handlers.onLinkChange();
        return;
    }
  }

  /** Round robin over the binds that have room. */
  #findClient(): SmppClient<Handed<Context>> | undefined {
    const list = this.#clientList;
    for (let tried = 0; tried < list.length; tried += 1) {
      this.#nextClient = (this.#nextClient + 1) % list.length;
      const client = list[this.#nextClient];
      if (client?.canSubmit() === true) return client;
    }
    return undefined;
  }

  /** The address of a sender name. Names are few and repeat; the bound is for a long-lived process. */
  #sourceOf(senderName: string): Address {
    let address = this.#senders.get(senderName);
    if (address === undefined) {
      if (this.#senders.size >= SENDER_ADDRESSES_MAX) this.#senders.clear();
      address = sourceAddress(senderName);
      this.#senders.set(senderName, address);
    }
    return address;
  }

  #answerLater(context: Context, outcome: CarrierOutcome): void {
    queueMicrotask(() => this.#handlers.onOutcome(context, outcome));
  }
}

/** A class, because reports are kept by the thousand until they are recorded: two closures each would be a third of their memory. */
class SmppReport implements CarrierReport {
  readonly key: string;
  readonly state: CarrierReport["state"];
  readonly errorCode: string;
  readonly phoneNo: number | undefined;
  readonly senderName: string;
  readonly possibleText: PossibleText | undefined;
  readonly #receipt: Receipt;

  constructor(receipt: Receipt, dndErrorCodes: ReadonlySet<string>) {
    const { state, errorCode } = readReportState(receipt, dndErrorCodes);
    this.key = receipt.messageId === "" ? "" : receiptKey(receipt.messageId);
    this.state = state;
    this.errorCode = errorCode;
    this.phoneNo = readPhoneNo(receipt.recipient);
    this.senderName = receipt.sender;
    this.possibleText = receipt.wording === undefined ? undefined : toPossibleText(receipt, receipt.wording);
    this.#receipt = receipt;
  }

  acknowledge(): void {
    this.#receipt.acknowledge();
  }

  refuse(): void {
    this.#receipt.refuse();
  }
}

const notTaken = {
  kind: "deferred",
  afterMs: NOT_SENT_DELAY_MS,
  isPartial: false,
  isFault: false,
  reason: "not-sent",
} as const;

function refusalOf(status: number): CarrierOutcome {
  const reason = `status:${status}`;
  if (isThrottleStatus(status))
    return { kind: "deferred", afterMs: retryDelayMs(), isPartial: false, isFault: false, reason };
  if (!isTemporaryStatus(status)) return { kind: "refused", reason };
  return { kind: "deferred", afterMs: FAULT_DELAY_MS * (0.5 + Math.random()), isPartial: false, isFault: true, reason };
}

function hasKeys(progress: Progress): boolean {
  return progress.keys.some((key) => key !== undefined);
}

/** A refused part decides: the message cannot become whole. Then a part whose fate is unknown, then one to send again. */
function resultOf(progress: Progress): CarrierOutcome {
  if (progress.refused !== undefined) return { kind: "refused", reason: progress.refused };
  if (progress.isUnknown) return { kind: "unknown" };
  if (progress.retry !== undefined)
    return { kind: "deferred", isPartial: hasKeys(progress), ...pickRetry(progress.retry) };
  const keys = progress.keys.filter((key): key is string => key !== undefined);
  return { kind: "accepted", keys: keys.includes("") ? [] : keys };
}

function pickRetry({ afterMs, isFault, reason }: RetryReason): RetryReason {
  return { afterMs, isFault, reason };
}

/** A header that cannot be right is part of the text: better odd characters at its beginning than a message that is lost. */
function toInbound(message: InboundMessage): InboundText {
  const { octets, place } = readBody(message) ?? { octets: message.body, place: undefined };
  return {
    from: readAddress(message.source.address),
    to: readAddress(message.destination.address),
    dataCoding: message.dataCoding,
    octets,
    place,
    acknowledge: () => void message.acknowledge(),
    refuse: () => void message.refuse(),
  };
}

function toPossibleText({ recipient, sender }: Receipt, wording: string): PossibleText {
  return { from: readAddress(recipient), to: readAddress(sender), body: wording };
}

/** Without a plus; a Nigerian number as it is dialled at home gets its country code. */
function readAddress(text: string): string {
  return text.replace(/^\+/, "").replace(/^0(?=[0-9]{10}$)/, "234");
}

function readPhoneNo(text: string): number | undefined {
  const digits = text.startsWith("+") ? text.slice(1) : text;
  return /^[0-9]{1,15}$/.test(digits) ? Number(digits) : undefined;
}
