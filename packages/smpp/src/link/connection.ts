import type { Socket } from "node:net";
import { BatchWriter } from "./batch-writer.ts";
import { command, HEADER_OCTETS, RESPONSE_BIT, SEQUENCE_MAX } from "../codec/commands.ts";
import { commandStatus } from "../codec/command-status.ts";
import { PduSplitter, type PduSink } from "../codec/pdu-splitter.ts";
import { writeBare, writeHeader } from "../codec/write-pdu.ts";

/** What a connection hands to its client or server session. */
export type ConnectionOwner = {
  /** Every PDU but enquire_link and its answer. The body lies from `start` to `end`, until the call returns. */
  onPdu(pdu: PduHeader, buffer: Buffer, start: number, end: number): void;
  /** All PDUs of a read are dealt with, or the socket has room again. The batch is flushed afterwards. */
  onTurn(): void;
  /** Everything in the batch was handed to the socket. */
  onHandedOver(): void;
  /** Called once, whatever the reason; nothing is called after it. */
  onClosed(reason: string): void;
};

export type PduHeader = {
  commandId: number;
  status: number;
  sequence: number;
};

export type ConnectionTimes = {
  /** Silence after which the link is asked whether it lives, in milliseconds. */
  readonly enquireAfterMs: number;
  /** How long its answer may take. */
  readonly deadlineMs: number;
};

/**
 * One socket, whichever end of it we are: framing, batched writes, keep-alive and closing.
 *
 * open -> close()/destroy()/peer/fault -> closed. A new connection gets a new object: nothing is carried over.
 */
export class Connection implements PduSink {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #times: ConnectionTimes;
  readonly #splitter = new PduSplitter();
  readonly #header: PduHeader = { commandId: 0, status: 0, sequence: 0 };
  readonly writer: BatchWriter;
  #sequence = 0;
  #flushScheduled: NodeJS.Immediate | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  /** How long the peer is waited for once we have ended. */
  #lingering: NodeJS.Timeout | undefined;
  /** When the enquire_link that is open was sent; undefined when none is. */
  #askedAtMs: number | undefined;
  #closeReason: string | undefined;
  #isClosed = false;
  #isReading = false;
  #nowMs = performance.now();
  lastReadMs = this.#nowMs;

  constructor(socket: Socket, owner: ConnectionOwner, times: ConnectionTimes) {
    this.#socket = socket;
    this.#owner = owner;
    this.#times = times;
    this.writer = new BatchWriter(socket, () => owner.onHandedOver());
    socket.on("drain", () => this.#turn());
    socket.on("end", () => this.destroy("closed by the peer"));
    socket.on("error", (error) => {
      this.#closeReason ??= inWords(error);
    });
    socket.on("close", () => this.#close());
  }

  /** Milliseconds of the monotonic clock, asked once a turn: a call costs as much as encoding half a submit. */
  get nowMs(): number {
    if (!this.#isReading && this.#flushScheduled === undefined) this.#nowMs = performance.now();
    return this.#nowMs;
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#closeReason === undefined;
  }

  /** Starts to watch for silence: call when bound, as a peer owes no answer before. */
  startKeepAlive(): void {
    this.#socket.setKeepAlive(true, 60_000);
    this.#armKeepAlive(this.#times.enquireAfterMs);
  }

  nextSequence(): number {
    this.#sequence = this.#sequence >= SEQUENCE_MAX ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  /** @param octets how many at the start of `chunk` are new; the chunk may be overwritten when this returns. */
  read(chunk: Buffer, octets: number): void {
    if (!this.isOpen) return;
    this.#nowMs = performance.now();
    this.lastReadMs = this.#nowMs;
    this.#isReading = true;
    const isSound = this.#splitter.push(chunk, octets, this);
    if (isSound) this.#turn();
    this.#isReading = false;
    if (!isSound) {
      writeBare(this.writer, command.genericNack, commandStatus.ESME_RINVCMDLEN, 0);
      this.writer.flush();
      this.destroy("a command_length out of bounds");
    }
  }

  onPdu(buffer: Buffer, start: number, end: number): boolean {
    const header = this.#header;
    header.commandId = buffer.readUInt32BE(start + 4);
    header.status = buffer.readUInt32BE(start + 8);
    header.sequence = buffer.readUInt32BE(start + 12);
    if (header.commandId === command.enquireLink) this.#answerEnquiry(header.sequence);
    // Its answer needs nothing more: having read it is the proof of life.
    else if (header.commandId !== command.enquireLinkResp) {
      this.#owner.onPdu(header, buffer, start + HEADER_OCTETS, end);
    }
    return this.isOpen;
  }

  /** Answers a request that nobody here knows; an unknown answer is passed over, or two ends would nack for ever. */
  refuseUnknown(pdu: PduHeader): void {
    if (pdu.commandId >= RESPONSE_BIT) return;
    writeBare(this.writer, command.genericNack, commandStatus.ESME_RINVCMDID, pdu.sequence);
    this.scheduleFlush();
  }

  /** Writes the batch once this turn of the event loop is over. */
  scheduleFlush(): void {
    // A read ends in a flush of its own.
    if (this.#isReading || this.#flushScheduled !== undefined) return;
    this.#nowMs = performance.now();
    this.#flushScheduled = setImmediate(() => {
      this.#flushScheduled = undefined;
      this.writer.flush();
    });
  }

  /** Writes what is there, then closes. */
  end(reason: string): void {
    this.writer.flush();
    this.#closeReason ??= reason;
    // The peer may never read on, or never stop writing; its end of the line is not ours to wait for.
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => this.#socket.destroy(), this.#times.deadlineMs);
    this.#socket.end();
  }

  destroy(reason: string): void {
    this.#closeReason ??= reason;
    this.#socket.destroy();
  }

  #turn(): void {
    if (!this.isOpen) return;
    this.#owner.onTurn();
    this.writer.flush();
  }

  /** Ahead of the batch: a busy peer that waits for this answer gives the link up. */
  #answerEnquiry(sequence: number): void {
    if (!this.#socket.writable) return;
    const answer = Buffer.allocUnsafe(HEADER_OCTETS);
    writeHeader(answer, 0, { octets: HEADER_OCTETS, commandId: command.enquireLinkResp, status: 0, sequence });
    this.#socket.write(answer);
  }

  #armKeepAlive(delayMs: number): void {
    // A stalled process finds the timer due and the proof of life unread in its socket: read first, then judge.
    this.#keepAlive = setTimeout(() => setImmediate(() => this.#checkSilence()), delayMs);
  }

  #checkSilence(): void {
    if (!this.isOpen) return;
    const nowMs = performance.now();
    if (this.#askedAtMs !== undefined && this.lastReadMs <= this.#askedAtMs) {
      this.destroy("no answer to enquire_link");
      return;
    }
    this.#askedAtMs = undefined;
    const { enquireAfterMs, deadlineMs } = this.#times;
    const silentMs = nowMs - this.lastReadMs;
    if (silentMs < enquireAfterMs) {
      this.#armKeepAlive(enquireAfterMs - silentMs);
      return;
    }
    this.#askedAtMs = nowMs;
    writeBare(this.writer, command.enquireLink, 0, this.nextSequence());
    this.writer.flush();
    this.#armKeepAlive(deadlineMs);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#lingering);
    clearImmediate(this.#flushScheduled);
    this.#owner.onClosed(this.#closeReason ?? "closed");
  }
}

/** OpenSSL's own messages name its source files; `reason` is the part for people. */
function inWords(error: Error & { code?: string; reason?: string }): string {
  if (error.code === "ERR_SSL_WRONG_VERSION_NUMBER") return "the other side does not speak TLS";
  return error.code?.startsWith("ERR_SSL") === true ? `TLS: ${error.reason ?? error.message}` : error.message;
}
