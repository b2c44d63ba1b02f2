import type { Socket } from "node:net";
import type { Alert, BindRole, ClientOptions, Delivery, Submit, SubmitOutcome } from "./client-types.ts";
import { command } from "../codec/commands.ts";
import { readAlert, readQueryAnswer, writeMessageRequest, type MessageRequest } from "../codec/message-requests.ts";
import { commandStatus, isThrottleStatus } from "../codec/command-status.ts";
import { MessageView } from "../codec/message-view.ts";
import { PduReader } from "../codec/pdu-reader.ts";
import { writeBare, writeBind, writeIdAnswer } from "../codec/write-pdu.ts";
import { writeSubmit, type DestinationKind } from "../codec/write-submit.ts";
import { Connection, type ConnectionOwner, type PduHeader } from "../link/connection.ts";
import { CarrierRequests, type QueryOutcome, type RequestOutcome } from "./carrier-requests.ts";
import { InboundDelivery, ReceiptDelivery, type DeliverySource } from "./delivery.ts";
import { openSocket } from "./open-socket.ts";
import type { Pace } from "./pace.ts";
import { readReceipt } from "../message/read-receipt.ts";
import { RequestWindow } from "./request-window.ts";

export type ClientSessionOwner<Context> = {
  onBound(peerSystemId: string): void;
  /** The bind was answered with an error; `onClosed` follows. */
  onBindRefused(status: number): void;
  onOutcome(context: Context, outcome: SubmitOutcome): void;
  onDelivery(delivery: Delivery): void;
  onAlert(alert: Alert): void;
  /** The carrier has called and named itself; true binds to it on this connection. */
  onOutbind?(outbind: { systemId: string; password: string }): boolean;
  onReady(): void;
  onThrottled(status: number): void;
  onMalformed(commandId: number): void;
  onLateAnswer(): void;
  onClosed(reason: string): void;
};

export type ClientSessionOptions = Required<Omit<ClientOptions, "bindMode" | "messagesPerSecond" | "lookup">> &
  Pick<ClientOptions, "lookup"> & {
    readonly role: BindRole;
    readonly pace: Pace;
  };

const SLOT_COUNT = 65_536;
/** As many parts as a long message can have: submits taken while the window or the rate has no room for them. */
const WAITING_MAX = 255;
const SWEEP_EVERY_MS_MAX = 1000;
const DRAIN_POLL_MS = 20;
/** After the peer's unbind: how long answers that are still due may take. */
const PEER_UNBIND_GRACE_MS = 1000;
const ID_OCTETS_MAX = 255;

const bindCommands = {
  transceiver: command.bindTransceiver,
  transmitter: command.bindTransmitter,
  receiver: command.bindReceiver,
} as const;

const notSent: SubmitOutcome = { kind: "notSent" };
const connectionLost: SubmitOutcome = { kind: "unknown", reason: "connectionLost" };
const timedOut: SubmitOutcome = { kind: "unknown", reason: "timedOut" };

/**
 * One bind from connect to close. It is never used again: after a drop the client makes a new one.
 *
 * binding -> (bind_resp ok) bound -> close() or the peer's unbind -> draining -> unbinding -> closed.
 * Any state -> closed by a drop, a fault or a deadline.
 */
export class ClientSession<Context> implements ConnectionOwner, DeliverySource {
  readonly #options: ClientSessionOptions;
  readonly #owner: ClientSessionOwner<Context>;
  readonly #connection: Connection;
  readonly #socket: Socket;
  readonly #destinationKind: DestinationKind;
  readonly #window = new RequestWindow<Context>(SLOT_COUNT);
  readonly #requests = new CarrierRequests();
  readonly #view = new MessageView();
  readonly #reader = new PduReader();
  #state: "binding" | "bound" | "draining" | "unbinding" | "closed" = "binding";
  /** Taken, but not yet encoded: the further parts of a long message, in order, ahead of everything else. */
  readonly #waiting: { submit: Submit; context: Context }[] = [];
  /** Sequence numbers in the batch that the socket does not have yet. */
  readonly #unwritten: number[] = [];
  #openDeliveries = 0;
  #deadline: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  readonly #sweepEveryMs: number;
  #sweptAtMs = 0;
  #paceTimer: NodeJS.Timeout | undefined;
  #unbindSequence = 0;

  /** @param open how the socket is made; tests put their own in its place. */
  constructor(options: ClientSessionOptions, owner: ClientSessionOwner<Context>, open = openSocket) {
    this.#options = options;
    this.#owner = owner;
    this.#sweepEveryMs = Math.min(SWEEP_EVERY_MS_MAX, options.responseTimeoutMs / 4);
    this.#destinationKind = {
      ton: options.destinationTon,
      npi: options.destinationNpi,
      isDataSm: options.submitWith === "dataSm",
    };
    this.#socket = open(
      options,
      () => this.#bind(),
      (chunk, octets) => this.#connection.read(chunk, octets),
    );
    this.#connection = new Connection(this.#socket, this, options);
    this.#deadline = setTimeout(() => this.#connection.destroy("no connection in time"), options.deadlineMs);
  }

  get openSubmits(): number {
    return this.#window.openCount + this.#waiting.length;
  }

  get openDeliveries(): number {
    return this.#openDeliveries;
  }

  get isBound(): boolean {
    return this.#state === "bound";
  }

  canSubmit(): boolean {
    return this.#state === "bound" && this.#waiting.length === 0 && this.#hasRoom();
  }

  /** @returns false when nothing was taken: not bound, or 255 submits wait already. */
  submit(submit: Submit, context: Context): boolean {
    if (this.#state !== "bound" || this.#options.role === "receiver") return false;
    if (this.#waiting.length > 0 || !this.#hasRoom()) {
      if (this.#waiting.length >= WAITING_MAX) return false;
      this.#waiting.push({ submit, context });
      return true;
    }
    this.#write(submit, context);
    this.#connection.scheduleFlush();
    return true;
  }

  /**
   * Asks about a message that the carrier has. A receiver may not.
   *
   * @throws RangeError when a field does not fit SMPP; nothing was sent then.
   */
  ask(request: MessageRequest): Promise<RequestOutcome | QueryOutcome> {
    const mayAsk = this.#state === "bound" && this.#options.role !== "receiver" && this.#requests.hasRoom;
    if (!mayAsk) return Promise.resolve({ kind: "notSent" });
    const sequence = this.#freeSequence();
    writeMessageRequest(this.#connection.writer, sequence, request);
    this.#connection.scheduleFlush();
    return this.#requests.put(sequence, request.kind, this.#options.responseTimeoutMs);
  }

  answerDelivery(commandId: number, sequence: number, status: number): boolean {
    if (!this.#connection.isOpen) return false;
    this.#openDeliveries -= 1;
    const answerId = commandId === command.dataSm ? command.dataSmResp : command.deliverSmResp;
    if (status === commandStatus.ESME_ROK) {
      writeIdAnswer(this.#connection.writer, { commandId: answerId, status, sequence, id: "" });
    } else writeBare(this.#connection.writer, answerId, status, sequence);
    this.#connection.scheduleFlush();
    return true;
  }

  /** Takes no more, waits until open submits are answered and deliveries acknowledged, then unbinds and closes. */
  close(drainMs: number): void {
    if (this.#state !== "bound") {
      this.#connection.destroy("closed by us");
      return;
    }
    this.#drain(performance.now() + drainMs, () => this.#unbind());
  }

  onPdu(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    switch (pdu.commandId) {
      case command.submitSmResp:
      case command.dataSmResp:
        this.#onSubmitAnswer(pdu, buffer, start, end);
        return;
      case command.deliverSm:
      case command.dataSm:
        this.#onDelivery(pdu, buffer, start, end);
        return;
      case command.genericNack:
        if (pdu.sequence === this.#unbindSequence && this.#state === "unbinding") this.#connection.end("unbound");
        else if (this.#window.has(pdu.sequence)) this.#refuse(pdu);
        else this.#requests.refuse(pdu.sequence, pdu.status);
        return;
      case command.querySmResp:
      case command.cancelSmResp:
      case command.replaceSmResp:
        this.#onRequestAnswer(pdu, buffer, start, end);
        return;
      case command.bindTransceiverResp:
      case command.bindTransmitterResp:
      case command.bindReceiverResp:
        this.#onBindAnswer(pdu, buffer, start, end);
        return;
      case command.unbind:
        this.#onPeerUnbind(pdu.sequence);
        return;
      case command.unbindResp:
        if (this.#state === "unbinding") this.#connection.end("unbound");
        return;
      case command.outbind:
        this.#onOutbind(buffer, start, end);
        return;
      case command.alertNotification:
        this.#onAlert(buffer, start, end);
        return;
      default:
        this.#connection.refuseUnknown(pdu);
    }
  }

  onTurn(): void {
    this.#pump();
    if (this.canSubmit()) this.#owner.onReady();
  }

  onHandedOver(): void {
    this.#unwritten.length = 0;
  }

  onClosed(reason: string): void {
    this.#state = "closed";
    clearTimeout(this.#deadline);
    clearTimeout(this.#paceTimer);
    clearInterval(this.#sweep);
    for (const sequence of this.#unwritten) {
      if (this.#window.has(sequence)) this.#owner.onOutcome(this.#window.take(sequence), notSent);
    }
    this.#window.drain((context) => this.#owner.onOutcome(context, connectionLost));
    for (const { context } of this.#waiting.splice(0)) this.#owner.onOutcome(context, notSent);
    this.#requests.drain();
    this.#owner.onClosed(reason);
  }

  /** Also arms the timer that reports when the rate allows the next one. */
  #hasRoom(): boolean {
    if (this.#window.openCount >= this.#options.window || this.#connection.writer.isBackedUp) return false;
    const { nowMs } = this.#connection;
    if (this.#options.pace.hasToken(nowMs)) return true;
    this.#paceTimer ??= setTimeout(() => {
      this.#paceTimer = undefined;
      this.#pump();
      if (this.canSubmit()) this.#owner.onReady();
      this.#connection.writer.flush();
    }, this.#options.pace.delayMs(nowMs));
    return false;
  }

  #pump(): void {
    if (this.#waiting.length === 0) return;
    let count = 0;
    while (count < this.#waiting.length && this.#hasRoom()) {
      const next = this.#waiting[count];
      if (next === undefined) break;
      count += 1;
      this.#write(next.submit, next.context);
    }
    if (count === 0) return;
    this.#waiting.splice(0, count);
    this.#connection.scheduleFlush();
  }

  #write(submit: Submit, context: Context): void {
    const sequence = this.#freeSequence();
    writeSubmit(this.#connection.writer, sequence, submit, this.#destinationKind);
    this.#options.pace.take();
    this.#window.put(sequence, context, this.#connection.nowMs);
    this.#unwritten.push(sequence);
  }

  #freeSequence(): number {
    let sequence = this.#connection.nextSequence();
    while (this.#window.isTaken(sequence) || this.#requests.has(sequence)) sequence = this.#connection.nextSequence();
    return sequence;
  }

  #bind(): void {
    const { role, systemId, password, systemType, deadlineMs } = this.#options;
    const commandId = bindCommands[role];
    const sequence = this.#connection.nextSequence();
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#connection.destroy("no answer to the bind"), deadlineMs);
    writeBind(this.#connection.writer, { commandId, sequence, systemId, password, systemType });
    this.#connection.writer.flush();
  }

  #onBindAnswer(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    if (this.#state !== "binding") return;
    clearTimeout(this.#deadline);
    if (pdu.status !== commandStatus.ESME_ROK) {
      this.#owner.onBindRefused(pdu.status);
      this.#connection.destroy("bind refused");
      return;
    }
    this.#reader.reset(buffer, start, end);
    const peerSystemId = this.#reader.textOrRest(ID_OCTETS_MAX);
    this.#state = "bound";
    this.#connection.startKeepAlive();
    this.#sweptAtMs = performance.now();
    this.#sweep = setInterval(() => setImmediate(() => this.#giveUpOld()), this.#sweepEveryMs);
    this.#owner.onBound(peerSystemId);
  }

  #onSubmitAnswer(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    const { sequence } = pdu;
    if (!this.#window.has(sequence)) {
      this.#owner.onLateAnswer();
      return;
    }
    if (pdu.status !== commandStatus.ESME_ROK) {
      this.#refuse(pdu);
      return;
    }
    this.#reader.reset(buffer, start, end);
    const messageId = this.#reader.textOrRest(ID_OCTETS_MAX);
    this.#options.pace.onAccepted(this.#connection.nowMs);
    this.#owner.onOutcome(this.#window.take(sequence), { kind: "accepted", messageId });
  }

  #refuse(pdu: PduHeader): void {
    const { status } = pdu;
    if (isThrottleStatus(status) && this.#options.pace.onThrottled(this.#connection.nowMs)) {
      this.#owner.onThrottled(status);
    }
    this.#owner.onOutcome(this.#window.take(pdu.sequence), { kind: "refused", status });
  }

  #onDelivery(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    const { commandId, sequence } = pdu;
    const view = this.#view;
    this.#openDeliveries += 1;
    if (!view.read(buffer, start, end, commandId === command.dataSm)) {
      this.answerDelivery(commandId, sequence, commandStatus.ESME_RINVCMDLEN);
      this.#owner.onMalformed(commandId);
      return;
    }
    if (this.#openDeliveries > this.#options.openDeliveriesMax) {
      this.answerDelivery(commandId, sequence, commandStatus.ESME_RX_T_APPN);
      return;
    }
    const origin = { source: this, commandId, sequence };
    const receipt = readReceipt(view);
    if (receipt !== undefined) {
      this.#owner.onDelivery(new ReceiptDelivery(origin, receipt));
      return;
    }
    this.#owner.onDelivery(
      new InboundDelivery(origin, {
        source: { ton: view.sourceTon, npi: view.sourceNpi, address: view.source },
        destination: { ton: view.destinationTon, npi: view.destinationNpi, address: view.destination },
        dataCoding: view.dataCoding,
        esmClass: view.esmClass,
        sar: view.sar,
        body: Buffer.from(buffer.subarray(view.bodyStart, view.bodyEnd)),
      }),
    );
  }

  #onRequestAnswer(pdu: PduHeader, buffer: Buffer, start: number, end: number): void {
    if (pdu.status !== commandStatus.ESME_ROK) {
      this.#requests.refuse(pdu.sequence, pdu.status);
      return;
    }
    this.#reader.reset(buffer, start, end);
    const found = pdu.commandId === command.querySmResp ? readQueryAnswer(this.#reader) : undefined;
    this.#requests.answer(pdu.sequence, found);
  }

  #onAlert(buffer: Buffer, start: number, end: number): void {
    this.#reader.reset(buffer, start, end);
    const alert = readAlert(this.#reader);
    if (alert === undefined) this.#owner.onMalformed(command.alertNotification);
    else this.#owner.onAlert(alert);
  }

  /** A client that binds by itself passes over it, and it has no answer. */
  #onOutbind(buffer: Buffer, start: number, end: number): void {
    if (this.#owner.onOutbind === undefined || this.#state !== "binding") return;
    this.#reader.reset(buffer, start, end);
    const systemId = this.#reader.text(ID_OCTETS_MAX);
    const password = this.#reader.text(ID_OCTETS_MAX);
    if (this.#reader.ok && this.#owner.onOutbind({ systemId, password })) this.#bind();
    else this.#connection.destroy("outbind refused");
  }

  #onPeerUnbind(sequence: number): void {
    this.#drain(performance.now() + PEER_UNBIND_GRACE_MS, () => {
      writeBare(this.#connection.writer, command.unbindResp, 0, sequence);
      this.#connection.end("unbound by the peer");
    });
  }

  /** Waits for the open ends of both directions, at most until `untilMs`, then goes on with `next`. */
  #drain(untilMs: number, next: () => void): void {
    if (this.#state === "draining" || this.#state === "unbinding") return;
    this.#state = "draining";
    const look = (): void => {
      if (!this.#connection.isOpen) return;
      const isIdle = this.openSubmits === 0 && this.#openDeliveries === 0 && this.#requests.openCount === 0;
      if (isIdle || performance.now() >= untilMs) next();
      else this.#deadline = setTimeout(look, DRAIN_POLL_MS);
    };
    look();
  }

  #unbind(): void {
    this.#state = "unbinding";
    this.#unbindSequence = this.#connection.nextSequence();
    writeBare(this.#connection.writer, command.unbind, 0, this.#unbindSequence);
    this.#connection.writer.flush();
    this.#deadline = setTimeout(() => this.#connection.destroy("no answer to unbind"), this.#options.deadlineMs);
  }

  #giveUpOld(): void {
    const nowMs = performance.now();
    const sinceLastMs = nowMs - this.#sweptAtMs;
    this.#sweptAtMs = nowMs;
    // The process was stalled: answers may wait in the socket, so read for another round first.
    if (sinceLastMs > this.#sweepEveryMs + SWEEP_EVERY_MS_MAX || this.#state === "closed") return;
    const { lastReadMs } = this.#connection;
    this.#window.expire({ nowMs, lastReadMs, olderThanMs: this.#options.responseTimeoutMs }, (context) =>
      this.#owner.onOutcome(context, timedOut),
    );
    this.onTurn();
  }
}
