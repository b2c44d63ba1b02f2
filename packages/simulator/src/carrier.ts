import {
  commandStatus,
  isTemporaryStatus,
  type Address,
  type DeliverOutcome,
  type IncomingSubmit,
  type MessageState,
  type ServerSession,
} from "@ewebal/smpp";
import { buildReceipt } from "./build-receipt.ts";
import { type CarriedMessage, type JournalRecord, readSubmit } from "./carried-message.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { behaviourOf, refusalOf, type NumberBehaviour } from "./number-behaviour.ts";
import { PartJoiner } from "./part-joiner.ts";
import { ReceiptQueue, type SentReceipt } from "./receipt-queue.ts";
import type { SimulatorSettings, SpanMs } from "./settings.ts";
import { VirtualPhones } from "./virtual-phones.ts";

const TICK_MS = 2;
const SLOW_FACTOR = 4;
const SENDERS_MAX = 1000;
/** Texts under way: 100,000 of 160 characters fit; whoever sends only long ones meets this limit before that of messages. */
const OPEN_CHARACTERS_MAX = 20_000_000;
/** How long a receipt that was refused for now stays away. */
const RECEIPT_RETRY_MS = 1000;

const defaults = {
  answerDelayMs: { min: 1, max: 5 },
  receiptDelayMs: { min: 500, max: 2000 },
  openMessagesMax: 100_000,
} as const;

export type CarrierCounts = {
  accepted: number;
  refused: number;
  receiptsSent: number;
  receiptsAnswered: number;
};

type Answer =
  | { readonly kind: "accept"; readonly submit: IncomingSubmit; readonly message: CarriedMessage }
  | { readonly kind: "refuse"; readonly submit: IncomingSubmit; readonly status: number };

/**
 * What happens to submits between the SMPP port and the phones.
 *
 * submit -> journal -> answer -> (receiptDelayMs) phone -> receipt -> acknowledged -> journal.
 * An answer is only given once its message is in the journal, so whatever was accepted survives a kill.
 */
export class Carrier {
  readonly #settings: SimulatorSettings & Required<Pick<SimulatorSettings, keyof typeof defaults>>;
  readonly #journal: Journal;
  readonly #joiner = new PartJoiner();
  readonly #receipts: ReceiptQueue;
  readonly #answers: DueQueue<Answer>;
  readonly #arrivals: DueQueue<CarriedMessage>;
  /** Everything accepted that is not done with. */
  readonly #open = new Set<CarriedMessage>();
  #openCharacters = 0;
  readonly #senders = new Map<string, Address>();
  #lastText = "";
  #unflushed: CarriedMessage[] = [];
  #doneIds: number[] = [];
  #nextId: number;
  #tick: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly phones: VirtualPhones;
  readonly counts: CarrierCounts = { accepted: 0, refused: 0, receiptsSent: 0, receiptsAnswered: 0 };

  constructor(settings: SimulatorSettings, nowMs = Date.now()) {
    this.#settings = { ...defaults, ...settings };
    this.phones = new VirtualPhones(settings.phoneLimits);
    this.#answers = new DueQueue(nowMs);
    this.#arrivals = new DueQueue(nowMs);
    this.#receipts = new ReceiptQueue((session, sent) => this.#sendReceipt(session, sent));
    // From the clock, so that ids differ from those of an earlier journal that was deleted; a million a second at most.
    this.#nextId = nowMs * 1000;
    this.#journal = this.#restore(nowMs);
    this.#arm();
  }

  get openCount(): number {
    return this.#open.size;
  }

  onSubmit(submit: IncomingSubmit): void {
    const nowMs = Date.now();
    const dueMs = nowMs + drawMs(this.#settings.answerDelayMs);
    const reading = readSubmit(submit);
    const behaviour = behaviourOf(submit.destination.address);
    const status = reading.kind === "malformed" ? reading.status : this.#refusalFor(behaviour, nowMs);
    if (reading.kind === "malformed" || status !== undefined) {
      this.#answers.add(dueMs, { kind: "refuse", submit, status: status ?? commandStatus.ESME_RSYSERR });
    } else {
      const arrivesAtMs = behaviour.isReceiptEarly === true ? nowMs : dueMs + drawMs(this.#settings.receiptDelayMs);
      const message = this.#accept(submit, reading, { acceptedAtMs: nowMs, arrivesAtMs });
      this.#answers.add(dueMs, { kind: "accept", submit, message });
      this.#arrivals.add(arrivesAtMs, message);
    }
    this.#arm();
  }

  onDelivered(sent: SentReceipt, outcome: DeliverOutcome): void {
    if (sent.isExtra) return;
    const { message } = sent;
    if (outcome.kind === "unanswered") this.#receipts.add(sent);
    else if (outcome.kind === "refused" && isTemporaryStatus(outcome.status)) {
      this.#arrivals.add(Date.now() + RECEIPT_RETRY_MS, message);
    } else {
      // Acknowledged, or refused for good: sending it again would change nothing.
      this.counts.receiptsAnswered += 1;
      this.#finish(message);
    }
    this.#arm();
  }

  /** Receipts that wait go to sessions that can take them. */
  pump(sessions: Iterable<ServerSession<SentReceipt>>): void {
    this.#receipts.pump(sessions);
  }

  /** Called after every tick, as arrivals may have made receipts. */
  onTick: () => void = () => undefined;

  /** Closes the journal: call it when no session is left that could still say something. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#tick);
    this.#flush();
    this.#journal.close();
  }

  #restore(nowMs: number): Journal {
    const { dataDir } = this.#settings;
    const byId = new Map<number, CarriedMessage>();
    const arrived: CarriedMessage[] = [];
    const carryOver: JournalOptions["carryOver"] = (through, into) => this.#carryOver(through, into);
    const journal = new Journal({ folder: dataDir, carryOver }, (record) => {
      if (record.kind === "done") for (const id of record.ids) byId.delete(id);
      else {
        const { message } = record;
        // Killed while it was carried over: it stands in both segments, and arrives once.
        if (byId.get(message.id)?.hasArrived === true) message.hasArrived = true;
        byId.set(message.id, message);
        this.#restoreMessage(message, nowMs, arrived);
      }
    });
    for (const message of arrived.toSorted((a, b) => a.arrivesAtMs - b.arrivesAtMs)) this.#putOnPhone(message);
    for (const message of byId.values()) {
      this.#addOpen(message);
      this.#arrivals.add(message.arrivesAtMs, message);
    }
    return journal;
  }

  #restoreMessage(message: CarriedMessage, nowMs: number, arrived: CarriedMessage[]): void {
    this.#nextId = Math.max(this.#nextId, message.id + 1);
    // A message that was carried over has come before, and stands with the others of that time.
    if (message.hasArrived || message.arrivesAtMs > nowMs) return;
    message.hasArrived = true;
    if (behaviourOf(message.recipient).state === "delivered") arrived.push(message);
  }

  #carryOver(throughSegment: number, intoSegment: number): JournalRecord[] {
    const records: JournalRecord[] = [];
    for (const message of this.#open) {
      if (message.segment > throughSegment) continue;
      message.segment = intoSegment;
      records.push({ kind: "message", message });
    }
    return records;
  }

  #refusalFor(behaviour: NumberBehaviour, nowMs: number): number | undefined {
    const isFull = this.#open.size >= this.#settings.openMessagesMax || this.#openCharacters >= OPEN_CHARACTERS_MAX;
    if (isFull) return commandStatus.ESME_RMSGQFUL;
    return refusalOf(behaviour, nowMs);
  }

  #accept(
    submit: IncomingSubmit,
    reading: { text: string; place: CarriedMessage["place"] },
    times: { acceptedAtMs: number; arrivesAtMs: number },
  ): CarriedMessage {
    const message: CarriedMessage = {
      id: this.#nextId,
      sender: this.#senderOf(submit.source),
      recipient: submit.destination.address,
      text: this.#sharedText(reading.text),
      place: reading.place,
      receiptWish: submit.registeredDelivery & 3,
      ...times,
      hasArrived: false,
      isLost: false,
      segment: 0,
    };
    this.#nextId += 1;
    this.#addOpen(message);
    message.segment = this.#journal.append({ kind: "message", message });
    this.#unflushed.push(message);
    return message;
  }

  /** Messages live for seconds by the ten thousand: what they have in common is kept once. */
  #senderOf(source: Address): Address {
    const key = `${source.ton} ${source.npi} ${source.address}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    if (this.#senders.size >= SENDERS_MAX) this.#senders.clear();
    this.#senders.set(key, source);
    return source;
  }

  #sharedText(text: string): string {
    if (text !== this.#lastText) this.#lastText = text;
    return this.#lastText;
  }

  #arm(): void {
    if (this.#isClosed) return;
    this.#tick ??= setTimeout(() => {
      this.#tick = undefined;
      this.#run(Date.now());
    }, TICK_MS);
  }

  #run(nowMs: number): void {
    this.#flush();
    this.#arrivals.takeDue(nowMs, (message) => this.#arrive(message, nowMs));
    this.onTick();
    this.#answers.takeDue(nowMs, (answer) => this.#answer(answer));
    if (this.#answers.size > 0 || this.#arrivals.size > 0 || this.#doneIds.length > 0) this.#arm();
  }

  #flush(): void {
    if (this.#doneIds.length > 0) {
      this.#journal.append({ kind: "done", ids: this.#doneIds });
      this.#doneIds = [];
    }
    const unflushed = this.#unflushed;
    this.#unflushed = [];
    if (this.#journal.flush()) return;
    // The disk is full: what is not recorded is not accepted. Acknowledgements that are lost cost a receipt sent twice.
    for (const message of unflushed) {
      message.isLost = true;
      this.#removeOpen(message);
    }
  }

  #answer(answer: Answer): void {
    if (answer.kind === "refuse") {
      this.counts.refused += 1;
      answer.submit.refuse(answer.status);
      return;
    }
    const { submit, message } = answer;
    if (message.isLost) {
      this.counts.refused += 1;
      submit.refuse(commandStatus.ESME_RSYSERR);
      return;
    }
    this.counts.accepted += 1;
    if (behaviourOf(message.recipient).isUnanswered !== true) submit.accept(String(message.id));
  }

  #arrive(message: CarriedMessage, nowMs: number): void {
    if (message.isLost) return;
    const behaviour = behaviourOf(message.recipient);
    const isFirst = !message.hasArrived;
    message.hasArrived = true;
    if (isFirst && behaviour.state === "delivered") this.#putOnPhone(message);
    const wantsReceipt = message.receiptWish === 1 || (message.receiptWish === 2 && behaviour.state !== "delivered");
    if (!wantsReceipt || behaviour.isReceiptMissing === true) {
      this.#finish(message);
      return;
    }
    if (isFirst && behaviour.isSlow === true) {
      this.#receipts.add({ message, state: "enroute", isExtra: true });
      this.#arrivals.add(nowMs + (nowMs - message.acceptedAtMs) * (SLOW_FACTOR - 1), message);
      return;
    }
    this.#receipts.add({ message, state: behaviour.state, isExtra: false });
    if (isFirst && behaviour.isReceiptDoubled === true) {
      this.#receipts.add({ message, state: behaviour.state, isExtra: true });
    }
  }

  #putOnPhone(message: CarriedMessage): void {
    const text = this.#joiner.add(message);
    if (text === undefined) return;
    this.phones.receive(message.recipient, {
      id: message.id,
      sender: message.sender.address,
      text,
      partCount: message.place?.partCount ?? 1,
      receivedAtMs: message.arrivesAtMs,
    });
  }

  #sendReceipt(session: ServerSession<SentReceipt>, sent: SentReceipt): boolean {
    const { message, state } = sent;
    const { errorCode } = behaviourOf(message.recipient);
    const outcome = { state, errorCode: isEnroute(state) ? "000" : errorCode, atMs: message.arrivesAtMs };
    if (!session.deliver(buildReceipt(message, outcome), sent)) return false;
    this.counts.receiptsSent += 1;
    return true;
  }

  #finish(message: CarriedMessage): void {
    if (this.#removeOpen(message)) this.#doneIds.push(message.id);
  }

  #addOpen(message: CarriedMessage): void {
    this.#open.add(message);
    this.#openCharacters += message.text.length;
  }

  #removeOpen(message: CarriedMessage): boolean {
    if (!this.#open.delete(message)) return false;
    this.#openCharacters -= message.text.length;
    return true;
  }
}

function isEnroute(state: MessageState): boolean {
  return state === "enroute";
}

function drawMs({ min, max }: SpanMs): number {
  return Math.round(min + Math.random() * (max - min));
}

const BUCKET_MS = 2;

/**
 * Things to do at their time, to within 2 ms. Buckets instead of a heap: a hundred thousand entries are added and taken
 * at the same cost as ten.
 */
class DueQueue<Item> {
  readonly #buckets = new Map<number, Item[]>();
  /** Everything before this bucket was taken. */
  #nextBucket: number;
  #size = 0;

  constructor(nowMs: number) {
    this.#nextBucket = Math.floor(nowMs / BUCKET_MS);
  }

  get size(): number {
    return this.#size;
  }

  add(dueMs: number, item: Item): void {
    const bucket = Math.max(this.#nextBucket, Math.ceil(dueMs / BUCKET_MS));
    const items = this.#buckets.get(bucket);
    if (items === undefined) this.#buckets.set(bucket, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Hands over everything that is due, earliest first. What `onEach` adds waits for the next call. */
  takeDue(nowMs: number, onEach: (item: Item) => void): void {
    const last = Math.floor(nowMs / BUCKET_MS);
    const from = this.#nextBucket;
    this.#nextBucket = Math.max(from, last + 1);
    for (let bucket = from; bucket <= last && this.#size > 0; bucket += 1) {
      const items = this.#buckets.get(bucket);
      if (items === undefined) continue;
      this.#buckets.delete(bucket);
      this.#size -= items.length;
      items.forEach(onEach);
    }
  }
}
