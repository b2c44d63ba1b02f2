import { messageClasses, type MessageClass } from "@ewebal/contract";
import type {
  Carrier,
  CarrierHandlers,
  CarrierMessage,
  CarrierOutcome,
  CarrierReport,
  LinkHealth,
  PreparedText,
  ReportState,
} from "../carriers/carrier.ts";
import type { CarrierDefinition } from "../engine/routing/carrier-pool.ts";
import type { Handover } from "../engine/in-flight.ts";

export type Taken = { phoneNo: string; senderName: string; text: string; context: Handover; key: string };
/** As this carrier prepares it: nothing is cut, and the text can be looked at. */
type FakeText = PreparedText & { readonly written: string };
export type Behaviour = (message: CarrierMessage) => CarrierOutcome | "silent" | "accept";

export type FakeCarrierFacts = {
  name: string;
  windowSize: number;
  messagesPerSecond: number;
  prefixes: string[];
  weight: number;
  priority: number;
  bindCount: number;
  classes: readonly MessageClass[];
  reachesDnd: boolean;
  partCount: number;
  behaviour: Behaviour;
  /** A carrier that answers nobody's bind. */
  isUp: boolean;
  /** Its link stands, and its pace lets nothing go now. */
  isPaced: boolean;
  /** Another one than before makes a new link. */
  linkKey?: string;
};

/** A carrier in this process: it remembers what it took and does what the test says. Shared by any number of workers. */
export class FakeCarrier {
  readonly facts: FakeCarrierFacts;
  /** Everything that was ever handed over, in order. */
  readonly taken: Taken[] = [];
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  readonly #links = new Set<FakeLink>();
  #keyCount = 0;

  constructor(facts: Partial<FakeCarrierFacts> = {}) {
    this.facts = {
      name: "fake",
      windowSize: 100,
      messagesPerSecond: 100_000,
      prefixes: [],
      classes: messageClasses,
      reachesDnd: false,
      weight: 1,
      priority: 0,
      bindCount: 1,
      partCount: 1,
      behaviour: () => "accept",
      isUp: true,
      isPaced: false,
      ...facts,
    };
  }

  get definition(): CarrierDefinition {
    return { ...this.facts, connect: (handlers) => this.#connect(handlers) };
  }

  get phoneNos(): number[] {
    return this.taken.map(({ phoneNo }) => Number(phoneNo));
  }

  get sortedPhoneNos(): number[] {
    return this.phoneNos.toSorted((one, other) => one - other);
  }

  /** Binds that are held by somebody. */
  get heldBinds(): number[] {
    return [...this.#links].flatMap((link) => link.held).toSorted((one, other) => one - other);
  }

  nextKey(): string {
    this.#keyCount += 1;
    return `key-${this.#keyCount}`;
  }

  /** Answers what was taken in silence. */
  answer(taken: Taken, outcome: CarrierOutcome | "accept"): void {
    const link = [...this.#links].find((candidate) => candidate.open.has(taken.context));
    link?.settle(taken, outcome);
  }

  /** Sends a delivery report to the worker that is bound, the last one when there are several. */
  report(facts: { key: string; state?: ReportState; errorCode?: string; phoneNo?: number; senderName?: string }): void {
    const link = [...this.#links].findLast((candidate) => candidate.isUp);
    if (link === undefined) throw new Error("nobody is bound to hear the report");
    const report: CarrierReport = {
      key: facts.key,
      state: facts.state ?? "delivered",
      errorCode: facts.errorCode ?? "",
      phoneNo: facts.phoneNo,
      senderName: facts.senderName ?? "",
      possibleText: undefined,
      acknowledge: () => void this.acknowledged.push(facts.key),
      refuse: () => void this.refused.push(facts.key),
    };
    link.handlers.onReport(report);
  }

  setUp(isUp: boolean): void {
    this.facts.isUp = isUp;
    for (const link of this.#links) {
      link.handlers.onLinkChange();
      if (isUp) link.handlers.onReady();
    }
  }

  #connect(handlers: CarrierHandlers<Handover>): Carrier<Handover> {
    const link = new FakeLink(this, handlers);
    this.#links.add(link);
    return link;
  }

  forget(link: FakeLink): void {
    this.#links.delete(link);
  }
}

class FakeLink implements Carrier<Handover> {
  readonly #carrier: FakeCarrier;
  readonly handlers: CarrierHandlers<Handover>;
  readonly open = new Map<Handover, Taken>();
  held: readonly number[] = [];
  #isClosed = false;

  constructor(carrier: FakeCarrier, handlers: CarrierHandlers<Handover>) {
    this.#carrier = carrier;
    this.handlers = handlers;
  }

  get name(): string {
    return this.#carrier.facts.name;
  }

  get windowSize(): number {
    return this.#carrier.facts.windowSize * this.held.length;
  }

  get isUp(): boolean {
    return this.#carrier.facts.isUp && this.held.length > 0 && !this.#isClosed;
  }

  get health(): LinkHealth {
    return { boundCount: this.isUp ? this.held.length : 0, openCount: this.open.size, lastError: undefined };
  }

  async holdBinds(bindIndexes: readonly number[]): Promise<void> {
    this.held = bindIndexes;
    queueMicrotask(() => {
      this.handlers.onLinkChange();
      this.handlers.onReady();
    });
  }

  prepare(written: string): FakeText {
    return { partCount: this.#carrier.facts.partCount, written };
  }

  canTake(): boolean {
    return this.isUp && !this.#carrier.facts.isPaced && this.open.size < this.windowSize;
  }

  take(context: Handover, message: CarrierMessage): void {
    const { senderName, phoneNo } = message;
    const text = (message.text as FakeText).written;
    const taken = { phoneNo, senderName, text, context, key: this.#carrier.nextKey() };
    this.#carrier.taken.push(taken);
    this.open.set(context, taken);
    const outcome = this.#carrier.facts.behaviour(message);
    if (outcome !== "silent") queueMicrotask(() => this.settle(taken, outcome));
  }

  settle(taken: Taken, outcome: CarrierOutcome | "accept"): void {
    if (!this.open.delete(taken.context)) return;
    const { partCount } = this.#carrier.facts;
    const keys =
      partCount === 1 ? [taken.key] : Array.from({ length: partCount }, (_, index) => `${taken.key}.${index}`);
    this.handlers.onOutcome(taken.context, outcome === "accept" ? { kind: "accepted", keys } : outcome);
    setImmediate(() => this.handlers.onReady());
  }

  async close(drainMs: number): Promise<void> {
    const deadlineMs = performance.now() + drainMs;
    while (this.open.size > 0 && performance.now() < deadlineMs) await new Promise((done) => setTimeout(done, 5));
    this.#isClosed = true;
    for (const taken of this.open.values()) this.settle(taken, { kind: "unknown" });
    this.held = [];
    this.#carrier.forget(this);
  }
}
