/**
 * A carrier that misbehaves on purpose, and remembers what it did: the witness of a run. It reads and writes SMPP by itself, byte by byte,
 * because what the product's own codec gets wrong would look right through the same codec.
 *
 * What a message meets is decided by the carrier's salt, its number and its tag, not by when it comes.
 */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import {
  ANSWER_BIT,
  bindCommands,
  commandIds,
  HEADER_OCTETS,
  readSubmit,
  statuses,
  writePdu,
  writeReport,
  type ReportState,
  type ReportText,
  type Submit,
} from "./carrier-pdus.ts";
import type { CarrierPlan } from "./plan.ts";
import type { Witness } from "./witness.ts";

const TICK_MS = 10;
/** After a report was refused for now. */
const RETRY_MS = 500;
const LATE_ANSWER_MS = 3_000;
const LATE_REPORT_MS = 6_000;

/** How a submit is answered, with how many in a thousand. Every other one is answered at once. */
export const answerShares = {
  late: 40,
  lost: 8,
  doubled: 40,
  takenThenRefused: 30,
  refusedThenTaken: 15,
  refused: 30,
  faultFirst: 30,
  // Few: a carrier that asks for less now and again is given less and less, and a run would last for minutes.
  throttledFirst: 1,
} as const;
export type AnswerKind = keyof typeof answerShares | "prompt";

/** What is reported of a message that was taken. Every other one is reported as delivered, once. */
export const reportShares = {
  failed: 60,
  lost: 40,
  late: 60,
  doubled: 50,
  deliveredThenFailed: 40,
  failedThenDelivered: 40,
  enrouteFirst: 60,
  early: 80,
} as const;
export type ReportKind = keyof typeof reportShares | "delivered";
type Report = ReportText & {
  dueAtMs: number;
  /** Sent by this link under this sequence, and not answered yet. */
  link?: Link | undefined;
};

class Link {
  readonly socket: Socket;
  isBound = false;
  isReceiver = false;
  nextSequence = 1;
  unread: Buffer = Buffer.alloc(0);
  readonly openReports = new Map<number, Report>();

  constructor(socket: Socket) {
    this.socket = socket;
  }
}

export class ContraryCarrier {
  readonly #plan: CarrierPlan;
  readonly #witness: Witness;
  readonly #links = new Set<Link>();
  readonly #seenBefore = new Set<string>();
  #reports: Report[] = [];
  #lateAnswers: { dueAtMs: number; link: Link; write: () => void }[] = [];
  #server: Server;
  #timer: NodeJS.Timeout;
  #nextId: number;
  #isSilent = false;
  #bindRefusal = 0;
  #perSecond = Infinity;
  #tokens = 0;
  #port = 0;

  constructor(plan: CarrierPlan, witness: Witness) {
    this.#plan = plan;
    this.#witness = witness;
    // Both carriers of a run count from the same number on purpose: an id means something at its own carrier only.
    this.#nextId = 700_000_000;
    this.#server = this.#makeServer();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#close();
  }

  /** Drops every link, and what is in its buffers with it. */
  reset(): void {
    for (const link of this.#links) link.socket.resetAndDestroy();
  }

  /** Neither reads nor writes. What it is sent meanwhile waits in the buffers, and is read afterwards. */
  setSilent(isSilent: boolean): void {
    this.#isSilent = isSilent;
    for (const { socket } of this.#links) {
      if (isSilent) socket.pause();
      else socket.resume();
    }
  }

  /** @param status 0 lets clients in again. */
  setBindRefusal(status: number): void {
    this.#bindRefusal = status;
    if (status !== 0) this.reset();
  }

  /** @param perSecond Infinity for as much as comes. */
  setThrottle(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#tokens = 0;
  }

  async setAway(isAway: boolean): Promise<void> {
    if (isAway) await this.#close();
    else {
      this.#server = this.#makeServer();
      await this.start();
    }
  }

  /** Reports about messages of somebody else: ids that were never given out, or none, to numbers that are nobody's here. */
  reportForeign(count: number): void {
    const [link] = this.#receivers();
    if (link === undefined) return;
    for (let index = 0; index < count; index += 1) {
      const number = `23490${20_000_000 + index}`;
      const submit = { source: { ton: 5, npi: 0, address: "OTHERS" }, number, tag: "", part: 1 };
      const id = ["", "0", "never-given-out", String(2 ** 52 + index), "f".repeat(30)][index % 5] as string;
      const state = index % 2 === 0 ? "DELIVRD" : "UNDELIV";
      link.socket.write(writeReport(link.nextSequence++, { submit, id, state }, index % 3 !== 0));
    }
  }

  /** Answers to submits that nobody made, and commands that nobody knows. */
  answerForeign(count: number): void {
    for (const link of this.#links) {
      if (!link.isBound) continue;
      for (let index = 0; index < count; index += 1) {
        const sequence = 0x5000_0000 + index;
        const status = [statuses.ok, statuses.systemError, statuses.throttled][index % 3] as number;
        const body = status === statuses.ok ? Buffer.from(`${index}\0`) : Buffer.alloc(0);
        const command = [commandIds.submit + ANSWER_BIT, commandIds.nack, commandIds.deliver + ANSWER_BIT][
          index % 3
        ] as number;
        link.socket.write(writePdu(command, status, sequence, body));
      }
    }
  }

  /** Whether every report that is due some time was sent and acknowledged. */
  get isDone(): boolean {
    return this.#reports.length === 0 && [...this.#links].every(({ openReports }) => openReports.size === 0);
  }

  #makeServer(): Server {
    return createServer({ noDelay: true }, (socket) => this.#onSocket(socket));
  }

  async #close(): Promise<void> {
    this.reset();
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  #onSocket(socket: Socket): void {
    const link = new Link(socket);
    this.#links.add(link);
    if (this.#isSilent) socket.pause();
    // What becomes of a link is told by its end, however it ended.
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => this.#onData(link, chunk));
    socket.on("close", () => {
      this.#links.delete(link);
      for (const report of link.openReports.values()) this.#reports.push({ ...report, link: undefined });
    });
  }

  #onData(link: Link, chunk: Buffer): void {
    link.unread = Buffer.concat([link.unread, chunk]);
    while (link.unread.length >= HEADER_OCTETS) {
      const octets = link.unread.readUInt32BE(0);
      if (octets < HEADER_OCTETS || octets > 65_536) {
        this.#witness.noteFault(`a PDU of ${octets} octets`);
        link.socket.destroy();
        return;
      }
      if (link.unread.length < octets) return;
      const pdu = link.unread.subarray(0, octets);
      link.unread = link.unread.subarray(octets);
      this.#onPdu(link, pdu);
    }
  }

  #onPdu(link: Link, pdu: Buffer): void {
    const command = pdu.readUInt32BE(4);
    const status = pdu.readUInt32BE(8);
    const sequence = pdu.readUInt32BE(12);
    const answer = (answered: number, body: Buffer = Buffer.alloc(0)): void =>
      void link.socket.write(writePdu(command + ANSWER_BIT, answered, sequence, body));
    if (bindCommands.has(command)) {
      if (this.#bindRefusal !== 0) {
        answer(this.#bindRefusal);
        link.socket.end();
        return;
      }
      link.isBound = true;
      link.isReceiver = command !== 2;
      answer(statuses.ok, Buffer.from("contrary\0"));
    } else if (command === commandIds.submit) this.#onSubmit(link, readSubmit(pdu), answer);
    else if (command === commandIds.deliver + ANSWER_BIT) this.#onReportAnswer(link, sequence, status);
    else if (command === commandIds.unbind || command === commandIds.enquire) {
      answer(statuses.ok);
      if (command === commandIds.unbind) link.socket.end();
    }
  }

  #onSubmit(link: Link, submit: Submit, answer: (status: number, body?: Buffer) => void): void {
    const key = `${submit.number} ${submit.tag} ${submit.part}`;
    if (this.#tokens < 1 && this.#perSecond !== Infinity) {
      answer(statuses.throttled);
      return;
    }
    this.#tokens -= 1;
    const kind = this.#chooseAnswer(submit);
    const isFirst = !this.#seenBefore.has(key);
    this.#seenBefore.add(key);
    if (kind === "refused" || kind === "refusedThenTaken") {
      this.#witness.noteRefused(submit);
      answer(statuses.invalidDestination);
      if (kind === "refusedThenTaken") answer(statuses.ok, Buffer.from("1\0"));
      return;
    }
    if (isFirst && (kind === "faultFirst" || kind === "throttledFirst")) {
      answer(kind === "faultFirst" ? statuses.systemError : statuses.throttled);
      return;
    }
    this.#take(link, submit, kind, answer);
  }

  #take(link: Link, submit: Submit, kind: AnswerKind, answer: (status: number, body?: Buffer) => void): void {
    const id = this.#nextId++;
    const ids = idWriters[this.#plan.idForm](id);
    this.#witness.noteTaken(submit);
    const accept = (): void => {
      answer(statuses.ok, Buffer.from(`${ids.answer}\0`));
      if (kind === "doubled") answer(statuses.ok, Buffer.from(`${ids.answer}\0`));
      if (kind === "takenThenRefused") answer(statuses.systemError);
      this.#witness.noteAnswered(submit);
    };
    const reportKind = this.#chooseReport(submit);
    this.#planReports(submit, ids.report, reportKind);
    if (kind === "lost") return;
    if (kind === "late" || reportKind === "early") {
      const afterMs = kind === "late" ? LATE_ANSWER_MS : this.#plan.reportAfterMs;
      this.#lateAnswers.push({ dueAtMs: performance.now() + afterMs, link, write: accept });
    } else accept();
  }

  #planReports(submit: Submit, id: string, kind: ReportKind): void {
    const now = performance.now();
    const { reportAfterMs } = this.#plan;
    const add = (state: ReportState, afterMs = reportAfterMs): void => {
      this.#reports.push({ dueAtMs: now + afterMs, submit, id, state });
    };
    switch (kind) {
      case "lost":
        return;
      case "early":
        add("DELIVRD", 0);
        return;
      case "late":
        add("DELIVRD", LATE_REPORT_MS);
        return;
      case "failed":
        add("UNDELIV");
        return;
      case "doubled":
        add("DELIVRD");
        add("DELIVRD");
        return;
      case "deliveredThenFailed":
        add("DELIVRD");
        add("UNDELIV", reportAfterMs + 200);
        return;
      case "failedThenDelivered":
        add("UNDELIV");
        add("DELIVRD", reportAfterMs + 200);
        return;
      case "enrouteFirst":
        add("ENROUTE", 0);
        add("DELIVRD");
        return;
      case "delivered":
        add("DELIVRD");
    }
  }

  #onReportAnswer(link: Link, sequence: number, status: number): void {
    const report = link.openReports.get(sequence);
    if (report === undefined) return;
    link.openReports.delete(sequence);
    if (status === statuses.ok) this.#witness.noteReportTaken(report.submit, report.state);
    else this.#reports.push({ ...report, link: undefined, dueAtMs: performance.now() + RETRY_MS });
  }

  #tick(): void {
    this.#tokens = Math.min(this.#perSecond, this.#tokens + (this.#perSecond * TICK_MS) / 1_000);
    if (this.#isSilent) return;
    const now = performance.now();
    const lateAnswers = this.#lateAnswers.filter(({ dueAtMs }) => dueAtMs <= now);
    this.#lateAnswers = this.#lateAnswers.filter(({ dueAtMs }) => dueAtMs > now);
    // An answer to a link that is gone is an answer that was lost.
    for (const { link, write } of lateAnswers) if (this.#links.has(link) && link.socket.writable) write();
    const receivers = this.#receivers();
    if (receivers.length === 0) return;
    const due = this.#reports
      .filter(({ dueAtMs }) => dueAtMs <= now)
      .toSorted((one, other) => one.dueAtMs - other.dueAtMs);
    this.#reports = this.#reports.filter(({ dueAtMs }) => dueAtMs > now);
    for (const [index, report] of due.entries()) {
      // A carrier sends by whichever link is there, not by the one that the message came by.
      const link = receivers[index % receivers.length] as Link;
      const sequence = link.nextSequence++;
      link.openReports.set(sequence, { ...report, link });
      this.#witness.noteReported(report.submit, report.state);
      link.socket.write(writeReport(sequence, report, index % 3 !== 0));
    }
  }

  #receivers(): Link[] {
    return [...this.#links].filter(({ isReceiver, socket }) => isReceiver && socket.writable);
  }

  #chooseAnswer(submit: Submit): AnswerKind {
    return choose(answerShares, this.#hash(submit, 1)) ?? "prompt";
  }

  #chooseReport(submit: Submit): ReportKind {
    return choose(reportShares, this.#hash(submit, 2)) ?? "delivered";
  }

  /** FNV-1a: the parts of one message meet the same. @returns 0 to 999. */
  #hash({ number, tag }: Submit, purpose: number): number {
    let hash = 0x811c9dc5;
    for (const octet of Buffer.from(`${this.#plan.salt} ${purpose} ${number} ${tag}`)) {
      hash = Math.imul(hash ^ octet, 0x0100_0193) >>> 0;
    }
    return ((hash ^ (hash >>> 15)) >>> 0) % 1_000;
  }
}

function choose<Kind extends string>(shares: Record<Kind, number>, drawn: number): Kind | undefined {
  let sum = 0;
  for (const [kind, share] of Object.entries(shares) as [Kind, number][]) {
    sum += share;
    if (drawn < sum) return kind;
  }
  return undefined;
}

/** An id in the form of its carrier's answers and of its reports. */
const idWriters: Record<CarrierPlan["idForm"], (id: number) => { answer: string; report: string }> = {
  decimal: (id) => ({ answer: String(id), report: String(id) }),
  padded: (id) => ({ answer: String(id), report: String(id).padStart(14, "0") }),
  uuid: (id) => {
    const uuid = `${hexOf(id)}-5eed-4bad-8bad-${hexOf(id).padStart(12, "0")}`;
    return { answer: uuid, report: uuid };
  },
  upperHex: (id) => ({ answer: hexOf(id).toUpperCase(), report: hexOf(id).padStart(10, "0") }),
  hexToDec: (id) => ({ answer: hexOf(id).padStart(10, "0"), report: String(id) }),
  decToHex: (id) => ({ answer: String(id), report: hexOf(id).toUpperCase().padStart(10, "0") }),
};

function hexOf(id: number): string {
  return id.toString(16).padStart(8, "0");
}

/** @returns the setting by which the product is told of such ids. */
export function receiptIdsOf({ idForm }: CarrierPlan): "asIs" | "hexToDec" | "decToHex" {
  return idForm === "hexToDec" || idForm === "decToHex" ? idForm : "asIs";
}
