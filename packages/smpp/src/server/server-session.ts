import type { Socket } from "node:net";
import type { Address, Alert, BindRole } from "../client/client-types.ts";
import { command, RESPONSE_BIT } from "../codec/commands.ts";
import { commandStatus } from "../codec/command-status.ts";
import {
  readMessageRequest,
  writeAlert,
  writeOutbind,
  writeQueryAnswer,
  type MessageRequest,
} from "../codec/message-requests.ts";
import { MessageView } from "../codec/message-view.ts";
import { PduReader } from "../codec/pdu-reader.ts";
import { writeBare, writeBindAnswer, writeIdAnswer } from "../codec/write-pdu.ts";
import { writeDeliver, type Deliver } from "../codec/write-deliver.ts";
import { Connection, type ConnectionOwner, type PduHeader } from "../link/connection.ts";
import { RequestWindow } from "../client/request-window.ts";
import type { BindRequest, DeliverOutcome, IncomingRequest, IncomingSubmit, ServerOptions } from "./server-types.ts";

export type ServerHandlers<Context> = {
  /** @returns the command status of the answer: ESME_ROK lets it in. It must not reject. */
  onBind(request: BindRequest, session: ServerSession<Context>): number | Promise<number>;
  onBound(session: ServerSession<Context>): void;
  onSubmit(session: ServerSession<Context>, submit: IncomingSubmit): void;
  /** A query_sm, cancel_sm or replace_sm. Without this handler they are answered with ESME_RINVCMDID. */
  onRequest?(session: ServerSession<Context>, request: IncomingRequest): void;
  onDelivered(session: ServerSession<Context>, context: Context, outcome: DeliverOutcome): void;
  /** A turn is over: `canDeliver()` may be true again. */
  onReady(session: ServerSession<Context>): void;
  /** Called for sessions that were bound; their open deliveries have been reported as `unanswered`. */
  onClosed(session: ServerSession<Context>, reason: string): void;
};

export type ServerSessionOptions = Required<
  Omit<ServerOptions, "host" | "port" | "tls" | "connectionsMax" | "unboundMax">
>;

/** Much more than the window, see `RequestWindow`; made when somebody is bound, as a connection alone is to cost little. */
const SLOTS_PER_DELIVERY = 8;
const SWEEP_EVERY_MS = 1000;
const CREDENTIAL_OCTETS_MAX = 64;

const roles = new Map<number, BindRole>([
  [command.bindTransceiver, "transceiver"],
  [command.bindTransmitter, "transmitter"],
  [command.bindReceiver, "receiver"],
]);

const acknowledged: DeliverOutcome = { kind: "acknowledged" };
const unanswered: DeliverOutcome = { kind: "unanswered" };

/** One client of a server. open -> binding -> (bind accepted) bound -> unbind by either side, a drop or a fault -> closed. */
export class ServerSession<Context> implements ConnectionOwner, SubmitSink {
  readonly #options: ServerSessionOptions;
  readonly #handlers: ServerHandlers<Context>;
  readonly #connection: Connection;
  readonly #socket: Socket;
  #window = new RequestWindow<Context>(1);
  readonly #view = new MessageView();
  readonly #reader = new PduReader();
  readonly #onGone: () => void;
  #state: "open" | "binding" | "bound" | "unbinding" | "closed" = "open";
  #wasBound = false;
  #openSubmits = 0;
  #openRequests = 0;
  #deadline: NodeJS.Timeout;
  #sweep: NodeJS.Timeout | undefined;
  /** Who is bound; empty before. */
  systemId = "";
  role: BindRole = "transceiver";

  constructor(socket: Socket, options: ServerSessionOptions, handlers: ServerHandlers<Context>, onGone: () => void) {
    this.#options = options;
    this.#handlers = handlers;
    this.#onGone = onGone;
    this.#socket = socket;
    this.#connection = new Connection(socket, this, options);
    socket.on("data", (chunk) => {
      this.#connection.read(chunk, chunk.length);
      this.#pauseOrResume();
    });
    socket.on("drain", () => this.#pauseOrResume());
    this.#deadline = setTimeout(() => this.#connection.destroy("no bind in time"), options.deadlineMs);
  }

  get isBound(): boolean {
    return this.#state === "bound";
  }

  /** Where it comes from; an IPv4 address stands as one. */
  get remoteAddress(): string {
    return (this.#socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
  }

  /** Whether deliveries may go to it at all. */
  get isReceiver(): boolean {
    return this.#state === "bound" && this.role !== "transmitter";
  }

  get openDeliveries(): number {
    return this.#window.openCount;
  }

  get openSubmits(): number {
    return this.#openSubmits;
  }

  canDeliver(): boolean {
    return (
      this.isReceiver && this.#window.openCount < this.#options.deliverWindow && !this.#connection.writer.isBackedUp
    );
  }

  /**
   * Sends a deliver_sm at the end of this turn; its outcome comes by `onDelivered`.
   *
   * @returns false when nothing was taken, because `canDeliver()` is false.
   * @throws RangeError when a field does not fit SMPP; nothing was taken then.
   */
  deliver(deliver: Deliver, context: Context): boolean {
    if (!this.canDeliver()) return false;
    let sequence = this.#connection.nextSequence();
    while (this.#window.isTaken(sequence)) sequence = this.#connection.nextSequence();
    writeDeliver(this.#connection.writer, sequence, deliver);
    this.#connection.scheduleFlush();
    this.#window.put(sequence, context, this.#connection.nowMs);
    return true;
  }

  /** Tells the client that a phone can be reached again (alert_notification); it has no answer. Throws as `deliver` does. */
  alert(alert: Alert): boolean {
    if (!this.isReceiver) return false;
    writeAlert(this.#connection.writer, this.#connection.nextSequence(), alert);
    this.#connection.scheduleFlush();
    return true;
  }

  /** Names us to a client that we called: it binds as a receiver on this connection, or ends it. Throws as `deliver` does. */
  outbind(credentials: { systemId: string; password: string }): void {
    writeOutbind(this.#connection.writer, this.#connection.nextSequence(), credentials);
    this.#connection.scheduleFlush();
  }

  answerSubmit(answerId: number, sequence: number, status: number, messageId: string): boolean {
    if (!this.#connection.isOpen) return false;
    this.#openSubmits -= 1;
    if (this.#socket.isPaused()) this.#pauseOrResume();
    const { writer } = this.#connection;
    if (status === commandStatus.ESME_ROK) {
      writeIdAnswer(writer, { commandId: answerId, status, sequence, id: messageId });
    } else writeBare(writer, answerId, status, sequence);
    this.#connection.scheduleFlush();
    return true;
  }

  /** Asks the client to go; closes when it agrees or after the deadline. */
  unbind(): void {
    if (this.#state !== "bound") {
      this.destroy();
      return;
    }
    this.#state = "unbinding";
    writeBare(this.#connection.writer, command.unbind, 0, this.#connection.nextSequence());
    this.#connection.scheduleFlush();
    this.#deadline = setTimeout(() => this.#connection.destroy("no answer to unbind"), this.#options.deadlineMs);
  }

  /** Ends the connection at once, answers in the batch included. */
  destroy(): void {
    this.#connection.destroy("closed by us");
  }

  /**
   * Reads no more from a client that does not read our answers, or that has more submits open than we want in memory: what it sends then waits in
   * its own socket.
   */
  #pauseOrResume(): void {
    const { readPauseAtSubmits } = this.#options;
    const isPaused = this.#socket.isPaused();
    const isFull = this.#openSubmits >= (isPaused ? readPauseAtSubmits / 2 : readPauseAtSubmits);
    const mustPause = isFull || this.#connection.writer.isBackedUp;
    if (mustPause === isPaused) return;
    if (mustPause) this.#socket.pause();
    else this.#socket.resume();
  }

  onPdu(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    switch (pdu.commandId) {
      case command.submitSm:
      case command.dataSm:
        this.#onSubmit(pdu, buffer, start, end);
        return;
      case command.querySm:
      case command.cancelSm:
      case command.replaceSm:
        this.#onRequest(pdu, buffer, start, end);
        return;
      case command.deliverSmResp:
        this.#onDeliverAnswer(pdu);
        return;
      case command.genericNack:
        if (this.#window.has(pdu.sequence)) this.#onDeliverAnswer(pdu);
        return;
      case command.bindTransceiver:
      case command.bindTransmitter:
      case command.bindReceiver:
        this.#onBind(pdu, buffer, start, end);
        return;
      case command.unbind:
        writeBare(this.#connection.writer, command.unbindResp, 0, pdu.sequence);
        this.#connection.end("unbound by the client");
        return;
      case command.unbindResp:
        if (this.#state === "unbinding") this.#connection.end("unbound");
        return;
      default:
        this.#connection.refuseUnknown(pdu);
    }
  }

  onTurn(): void {
    if (this.#state === "bound") this.#handlers.onReady(this);
  }

  onHandedOver(): void {
    // A delivery that never left is sent again like one that was not answered.
  }

  onClosed(reason: string): void {
    this.#state = "closed";
    clearTimeout(this.#deadline);
    clearInterval(this.#sweep);
    this.#onGone();
    this.#window.drain((context) => this.#handlers.onDelivered(this, context, unanswered));
    if (this.#wasBound) this.#handlers.onClosed(this, reason);
  }

  #onBind(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    const { commandId, sequence } = pdu;
    const answerId = commandId + RESPONSE_BIT;
    const reader = this.#reader;
    reader.reset(buffer, start, end);
    const systemId = reader.text(CREDENTIAL_OCTETS_MAX);
    const password = reader.text(CREDENTIAL_OCTETS_MAX);
    const systemType = reader.text(CREDENTIAL_OCTETS_MAX);
    const role = roles.get(commandId) ?? "transceiver";
    const refusal = this.#state !== "open" ? commandStatus.ESME_RALYBND : commandStatus.ESME_RINVCMDLEN;
    if (this.#state !== "open" || !reader.ok) {
      this.#answerBind(answerId, sequence, { status: refusal, systemId, role });
      return;
    }
    const { remoteAddress } = this;
    const answer = this.#handlers.onBind({ role, systemId, password, systemType, remoteAddress }, this);
    if (typeof answer === "number") {
      this.#answerBind(answerId, sequence, { status: answer, systemId, role });
      return;
    }
    this.#state = "binding";
    void this.#awaitBind(answer, answerId, sequence, { systemId, role });
  }

  async #awaitBind(
    answer: Promise<number>,
    answerId: number,
    sequence: number,
    client: { systemId: string; role: BindRole },
  ): Promise<void> {
    const status = await answer;
    // The deadline went on: it may have closed the connection, or the client left.
    if (this.#state !== "binding" || !this.#connection.isOpen) return;
    this.#state = "open";
    this.#answerBind(answerId, sequence, { status, ...client });
    this.#connection.scheduleFlush();
  }

  #answerBind(
    answerId: number,
    sequence: number,
    { status, systemId, role }: { status: number; systemId: string; role: BindRole },
  ): void {
    if (status !== commandStatus.ESME_ROK) {
      writeBare(this.#connection.writer, answerId, status, sequence);
      if (this.#state === "open") this.#connection.end("bind refused");
      return;
    }
    clearTimeout(this.#deadline);
    this.#state = "bound";
    this.#wasBound = true;
    this.systemId = systemId;
    this.role = role;
    const slots = SLOTS_PER_DELIVERY * this.#options.deliverWindow;
    this.#window = new RequestWindow<Context>(2 ** Math.ceil(Math.log2(slots)));
    writeBindAnswer(this.#connection.writer, { commandId: answerId, sequence, systemId: this.#options.systemId });
    this.#connection.startKeepAlive();
    this.#sweep = setInterval(() => this.#giveUpOld(), SWEEP_EVERY_MS);
    this.#handlers.onBound(this);
  }

  #onSubmit({ commandId, sequence }: PduHeader, buffer: Buffer, start: number, end: number): void {
    const answerId = commandId + RESPONSE_BIT;
    const refuse = (status: number): void => writeBare(this.#connection.writer, answerId, status, sequence);
    if (this.#state !== "bound" || this.role === "receiver") {
      refuse(commandStatus.ESME_RINVBNDSTS);
      return;
    }
    const view = this.#view;
    if (!view.read(buffer, start, end, commandId === command.dataSm)) {
      refuse(commandStatus.ESME_RINVCMDLEN);
      return;
    }
    if (view.isTlvBroken) {
      refuse(commandStatus.ESME_RINVOPTPARSTREAM);
      return;
    }
    if (this.#openSubmits >= this.#options.openSubmitsMax) {
      refuse(commandStatus.ESME_RTHROTTLED);
      return;
    }
    this.#openSubmits += 1;
    this.#handlers.onSubmit(this, new TakenSubmit(this, answerId, sequence, view));
  }

  #onRequest(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    const { commandId, sequence } = pdu;
    const answerId = commandId + RESPONSE_BIT;
    const refuse = (status: number): void => writeBare(this.#connection.writer, answerId, status, sequence);
    if (this.#state !== "bound" || this.role === "receiver") {
      refuse(commandStatus.ESME_RINVBNDSTS);
      return;
    }
    if (this.#handlers.onRequest === undefined) {
      this.#connection.refuseUnknown(pdu);
      return;
    }
    this.#reader.reset(buffer, start, end);
    const request = readMessageRequest(commandId, this.#reader);
    if (request === undefined) {
      refuse(commandStatus.ESME_RINVCMDLEN);
      return;
    }
    if (this.#openRequests >= this.#options.openSubmitsMax) {
      refuse(commandStatus.ESME_RTHROTTLED);
      return;
    }
    this.#openRequests += 1;
    this.#handlers.onRequest(this, this.#takenRequest(request, answerId, sequence));
  }

  #takenRequest(request: MessageRequest, answerId: number, sequence: number): IncomingRequest {
    let isAnswered = false;
    const answer = (write: () => void): boolean => {
      if (isAnswered || !this.#connection.isOpen) return false;
      write();
      isAnswered = true;
      this.#openRequests -= 1;
      this.#connection.scheduleFlush();
      return true;
    };
    const { writer } = this.#connection;
    return {
      request,
      accept: (found) =>
        answer(() => {
          if (request.kind !== "query") writeBare(writer, answerId, commandStatus.ESME_ROK, sequence);
          else if (found === undefined) writeBare(writer, answerId, commandStatus.ESME_RQUERYFAIL, sequence);
          else writeQueryAnswer(writer, sequence, found);
        }),
      refuse: (status) => answer(() => writeBare(writer, answerId, status, sequence)),
    };
  }

  #onDeliverAnswer(pdu: PduHeader): void {
    if (!this.#window.has(pdu.sequence)) return;
    const { status } = pdu;
    const outcome: DeliverOutcome = status === commandStatus.ESME_ROK ? acknowledged : { kind: "refused", status };
    this.#handlers.onDelivered(this, this.#window.take(pdu.sequence), outcome);
  }

  #giveUpOld(): void {
    const { lastReadMs } = this.#connection;
    const clock = { nowMs: performance.now(), lastReadMs, olderThanMs: this.#options.responseTimeoutMs };
    this.#window.expire(clock, (context) => this.#handlers.onDelivered(this, context, unanswered));
  }
}

/** Where the answer to a submit goes. */
type SubmitSink = {
  answerSubmit(answerId: number, sequence: number, status: number, messageId: string): boolean;
};

/** A submit_sm or data_sm with everything copied out of the read buffer. */
class TakenSubmit implements IncomingSubmit {
  readonly #sink: SubmitSink;
  readonly #answerId: number;
  readonly #sequence: number;
  #isAnswered = false;
  readonly serviceType: string;
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly priority: number;
  readonly scheduleDeliveryTime: string;
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  readonly sar: IncomingSubmit["sar"];
  readonly userMessageReference: number;
  readonly vendorTlvs: IncomingSubmit["vendorTlvs"];
  readonly body: Buffer;
  readonly isInPayload: boolean;

  constructor(sink: SubmitSink, answerId: number, sequence: number, view: MessageView) {
    this.#sink = sink;
    this.#answerId = answerId;
    this.#sequence = sequence;
    this.serviceType = view.serviceType;
    this.source = { ton: view.sourceTon, npi: view.sourceNpi, address: view.source };
    this.destination = { ton: view.destinationTon, npi: view.destinationNpi, address: view.destination };
    this.esmClass = view.esmClass;
    this.priority = view.priority;
    this.scheduleDeliveryTime = view.scheduleDeliveryTime;
    this.validityPeriod = view.validityPeriod;
    this.registeredDelivery = view.registeredDelivery;
    this.dataCoding = view.dataCoding;
    this.userMessageReference = view.userMessageReference;
    this.vendorTlvs = view.vendorTlvs;
    this.sar = view.sar;
    this.isInPayload = view.hasPayload;
    this.body = Buffer.from(view.buffer.subarray(view.bodyStart, view.bodyEnd));
  }

  accept(messageId: string): boolean {
    return this.#answer(commandStatus.ESME_ROK, messageId);
  }

  refuse(status: number): boolean {
    return this.#answer(status, "");
  }

  #answer(status: number, messageId: string): boolean {
    if (this.#isAnswered) return false;
    this.#isAnswered = true;
    return this.#sink.answerSubmit(this.#answerId, this.#sequence, status, messageId);
  }
}
