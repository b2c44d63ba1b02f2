/** Requests about a message that the carrier already has (SMPP 3.4, sections 4.8 to 4.10), and the two notices of 4.1.7 and 4.12. */
import type { Address, Alert } from "../client/client-types.ts";
import { command, HEADER_OCTETS, tlv } from "./commands.ts";
import { messageStateFromNumber, messageStateNumber, type MessageState } from "./message-state.ts";
import type { PduReader } from "./pdu-reader.ts";
import { assertText, writeHeader, writeString, writeTlv8, type PduTarget } from "./write-pdu.ts";

const MESSAGE_ID_CHARACTERS_MAX = 64;
const ADDRESS_CHARACTERS_MAX = 20;
const NOTICE_ADDRESS_CHARACTERS_MAX = 64;
const TIME_CHARACTERS_MAX = 16;
const SYSTEM_ID_CHARACTERS_MAX = 15;
const TEXT_OCTETS_MAX = 254;
/** What a reader takes is longer than what a writer may write: a peer's mistake is refused by its meaning, not its length. */
const READ_CHARACTERS_MAX = 255;
/** Header, every address, id and time at its longest, and the single octets between them. */
const OVERHEAD_OCTETS = 320;

/** Which message: the id that the carrier gave it, and the sender it was submitted with. */
export type MessageQuery = {
  readonly kind: "query";
  /** As the carrier wrote it in its answer to the submit; at most 64 characters. */
  readonly messageId: string;
  readonly source: Address;
};

export type MessageCancel = {
  readonly kind: "cancel";
  /** Empty cancels every message from `source` to `destination` that the carrier still holds. */
  readonly messageId: string;
  readonly source: Address;
  /** Needed when `messageId` is empty; the carrier passes over it otherwise. */
  readonly destination?: Address;
};

export type MessageReplace = {
  readonly kind: "replace";
  readonly messageId: string;
  readonly source: Address;
  /** 16 characters as in section 7.1.1; empty keeps what the message was submitted with. */
  readonly scheduleDeliveryTime?: string;
  readonly validityPeriod?: string;
  /** 1 asks for a receipt (the default), 0 for none. */
  readonly registeredDelivery?: number;
  /** At most 254 octets in the data coding of the message that it replaces. */
  readonly body: Uint8Array;
};

export type MessageRequest = MessageQuery | MessageCancel | MessageReplace;

/** What a carrier says about one message. */
export type MessageStatus = {
  readonly messageId: string;
  /** Undefined for a number that the specification does not name. */
  readonly state: MessageState | undefined;
  /** When the message came to its end, as in section 7.1.1, in the carrier's words; empty while it has not. */
  readonly finalDate: string;
  /** The network's or carrier's own code; 0 when there is none. */
  readonly errorCode: number;
};

const requestCommands = { query: command.querySm, cancel: command.cancelSm, replace: command.replaceSm } as const;

const NO_ADDRESS: Address = { ton: 0, npi: 0, address: "" };

/** @throws RangeError when a field does not fit SMPP; nothing was written then. */
export function writeMessageRequest(target: PduTarget, sequence: number, request: MessageRequest): void {
  assertRequest(request);
  target.reserve(OVERHEAD_OCTETS + (request.kind === "replace" ? request.body.length : 0));
  const { buffer } = target;
  const start = target.at;
  let at = start + HEADER_OCTETS;
  if (request.kind === "cancel") buffer[at++] = 0; // service_type
  at = writeString(buffer, at, request.messageId);
  at = writeAddress(buffer, at, request.source);
  if (request.kind === "cancel") at = writeAddress(buffer, at, request.destination ?? NO_ADDRESS);
  if (request.kind === "replace") at = writeReplacement(buffer, at, request);
  writeHeader(buffer, start, { octets: at - start, commandId: requestCommands[request.kind], status: 0, sequence });
  target.at = at;
}

function assertRequest(request: MessageRequest): void {
  assertText(request.messageId, MESSAGE_ID_CHARACTERS_MAX);
  assertText(request.source.address, ADDRESS_CHARACTERS_MAX);
  if (request.kind === "cancel") {
    assertText(request.destination?.address ?? "", ADDRESS_CHARACTERS_MAX);
    if (request.messageId === "" && request.destination === undefined) {
      throw new RangeError("a cancel_sm without message id and without destination");
    }
    return;
  }
  if (request.messageId === "") throw new RangeError(`a ${request.kind}_sm without message id`);
  if (request.kind === "query") return;
  assertText(request.scheduleDeliveryTime ?? "", TIME_CHARACTERS_MAX);
  assertText(request.validityPeriod ?? "", TIME_CHARACTERS_MAX);
  if (request.body.length > TEXT_OCTETS_MAX) {
    throw new RangeError(`a text of ${request.body.length} octets where ${TEXT_OCTETS_MAX} are the most`);
  }
}

function writeReplacement(buffer: Buffer, at: number, request: MessageReplace): number {
  let next = writeString(buffer, at, request.scheduleDeliveryTime ?? "");
  next = writeString(buffer, next, request.validityPeriod ?? "");
  buffer[next++] = request.registeredDelivery ?? 1;
  buffer[next++] = 0; // sm_default_msg_id
  buffer[next++] = request.body.length;
  buffer.set(request.body, next);
  return next + request.body.length;
}

/** @returns undefined when a field is cut off. */
export function readMessageRequest(commandId: number, reader: PduReader): MessageRequest | undefined {
  if (commandId === command.cancelSm) reader.skipText(READ_CHARACTERS_MAX); // service_type
  const messageId = reader.text(READ_CHARACTERS_MAX);
  const source = readAddress(reader);
  if (commandId === command.querySm) return reader.ok ? { kind: "query", messageId, source } : undefined;
  if (commandId === command.cancelSm) {
    const destination = readAddress(reader);
    return reader.ok ? { kind: "cancel", messageId, source, destination } : undefined;
  }
  const scheduleDeliveryTime = reader.text(READ_CHARACTERS_MAX);
  const validityPeriod = reader.text(READ_CHARACTERS_MAX);
  const registeredDelivery = reader.octet();
  reader.octet(); // sm_default_msg_id
  const octets = reader.octet();
  if (!reader.ok || octets > reader.end - reader.at) return undefined;
  const body = Buffer.from(reader.buffer.subarray(reader.at, reader.at + octets));
  return { kind: "replace", messageId, source, scheduleDeliveryTime, validityPeriod, registeredDelivery, body };
}

/** @throws RangeError when a field does not fit SMPP; nothing was written then. */
export function writeQueryAnswer(
  target: PduTarget,
  sequence: number,
  status: MessageStatus & { readonly state: MessageState },
): void {
  const { messageId, finalDate, errorCode, state } = status;
  assertText(messageId, MESSAGE_ID_CHARACTERS_MAX);
  assertText(finalDate, TIME_CHARACTERS_MAX);
  target.reserve(OVERHEAD_OCTETS);
  const { buffer } = target;
  const start = target.at;
  let at = writeString(buffer, start + HEADER_OCTETS, messageId);
  at = writeString(buffer, at, finalDate);
  buffer[at++] = messageStateNumber(state);
  buffer[at++] = errorCode & 0xff;
  writeHeader(buffer, start, { octets: at - start, commandId: command.querySmResp, status: 0, sequence });
  target.at = at;
}

/** @returns undefined when the answer has no state, which some carriers leave out although their status is 0. */
export function readQueryAnswer(reader: PduReader): MessageStatus | undefined {
  const messageId = reader.text(READ_CHARACTERS_MAX);
  const finalDate = reader.text(READ_CHARACTERS_MAX);
  const state = messageStateFromNumber(reader.octet());
  if (!reader.ok) return undefined;
  return { messageId, finalDate, state, errorCode: reader.octet() };
}

/** @throws RangeError when a field does not fit SMPP; nothing was written then. */
export function writeAlert(target: PduTarget, sequence: number, alert: Alert): void {
  assertText(alert.source.address, NOTICE_ADDRESS_CHARACTERS_MAX);
  assertText(alert.esme.address, NOTICE_ADDRESS_CHARACTERS_MAX);
  target.reserve(OVERHEAD_OCTETS);
  const { buffer } = target;
  const start = target.at;
  let at = writeAddress(buffer, start + HEADER_OCTETS, alert.source);
  at = writeAddress(buffer, at, alert.esme);
  if (alert.availability !== undefined) at = writeTlv8(buffer, at, tlv.availabilityStatus, alert.availability);
  writeHeader(buffer, start, { octets: at - start, commandId: command.alertNotification, status: 0, sequence });
  target.at = at;
}

/** @returns undefined when an address is cut off. */
export function readAlert(reader: PduReader): Alert | undefined {
  const source = readAddress(reader);
  const esme = readAddress(reader);
  if (!reader.ok) return undefined;
  return { source, esme, availability: readAvailability(reader) };
}

function readAvailability(reader: PduReader): number | undefined {
  while (reader.ok && reader.end - reader.at >= 4) {
    const tag = reader.uint16();
    const octets = reader.uint16();
    if (tag === tlv.availabilityStatus && octets === 1) return reader.at < reader.end ? reader.octet() : undefined;
    reader.at = Math.min(reader.end, reader.at + octets);
  }
  return undefined;
}

/** @throws RangeError when a field does not fit SMPP; nothing was written then. */
export function writeOutbind(
  target: PduTarget,
  sequence: number,
  outbind: { readonly systemId: string; readonly password: string },
): void {
  assertText(outbind.systemId, SYSTEM_ID_CHARACTERS_MAX);
  assertText(outbind.password, SYSTEM_ID_CHARACTERS_MAX);
  target.reserve(OVERHEAD_OCTETS);
  const { buffer } = target;
  const start = target.at;
  let at = writeString(buffer, start + HEADER_OCTETS, outbind.systemId);
  at = writeString(buffer, at, outbind.password);
  writeHeader(buffer, start, { octets: at - start, commandId: command.outbind, status: 0, sequence });
  target.at = at;
}

function writeAddress(buffer: Buffer, at: number, address: Address): number {
  buffer[at] = address.ton;
  buffer[at + 1] = address.npi;
  return writeString(buffer, at + 2, address.address);
}

function readAddress(reader: PduReader): Address {
  const ton = reader.octet();
  const npi = reader.octet();
  return { ton, npi, address: reader.text(READ_CHARACTERS_MAX) };
}
