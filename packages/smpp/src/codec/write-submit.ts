import type { MessagePart, Submit } from "../client/client-types.ts";
import { command, esmClass, HEADER_OCTETS, tlv } from "./commands.ts";
import {
  assertText,
  writeHeader,
  writeString,
  writeTlv16,
  writeTlv8,
  writeTlv32,
  writeTlvOctets,
  type PduTarget,
} from "./write-pdu.ts";

/** Room for a destination's type of number and numbering plan, which are one per carrier. */
export type DestinationKind = {
  readonly ton: number;
  readonly npi: number;
  /** Written as data_sm, whose text is always in message_payload. */
  readonly isDataSm: boolean;
};

const headerOctetsByMode = { udh8: 6, udh16: 7, sar: 0 } as const;
const ADDRESS_CHARACTERS_MAX = 20;
const SHORT_MESSAGE_OCTETS_MAX = 254;
const PAYLOAD_OCTETS_MAX = 60_000;
/** Header, all mandatory fields at their longest, user data header and every TLV that is written here. */
const OVERHEAD_OCTETS = 200;

/**
 * Writes a submit_sm, or a data_sm, straight into the batch.
 *
 * @throws RangeError when a field does not fit SMPP; nothing was written then.
 */
export function writeSubmit(target: PduTarget, sequence: number, submit: Submit, kind: DestinationKind): void {
  const { part, source, destination } = submit;
  const validityPeriod = submit.validityPeriod ?? "";
  const reference = submit.reference ?? 0;
  assertSubmit(submit, validityPeriod, kind.isDataSm);
  target.reserve(OVERHEAD_OCTETS + part.body.length);
  const { buffer } = target;
  const start = target.at;
  let at = start + HEADER_OCTETS;
  buffer[at++] = 0; // service_type
  buffer[at++] = source.ton;
  buffer[at++] = source.npi;
  at = writeString(buffer, at, source.address);
  buffer[at++] = kind.ton;
  buffer[at++] = kind.npi;
  at = writeString(buffer, at, destination);
  buffer[at++] = hasUserDataHeader(part) ? esmClass.userDataHeader : 0;
  at = kind.isDataSm
    ? writeDataTail(buffer, at, submit, validityPeriod)
    : writeSubmitTail(buffer, at, submit, validityPeriod);
  if (part.concat?.mode === "sar") at = writeSar(buffer, at, part.concat, reference);
  if (submit.userMessageReference !== undefined) {
    at = writeTlv16(buffer, at, tlv.userMessageReference, submit.userMessageReference);
  }
  writeHeader(buffer, start, {
    octets: at - start,
    commandId: kind.isDataSm ? command.dataSm : command.submitSm,
    status: 0,
    sequence,
  });
  target.at = at;
}

/** The fields of a submit_sm behind esm_class, with its text. */
function writeSubmitTail(buffer: Buffer, start: number, submit: Submit, validityPeriod: string): number {
  const { part } = submit;
  let at = start;
  buffer[at++] = 0; // protocol_id
  buffer[at++] = submit.priority ?? 0;
  buffer[at++] = 0; // schedule_delivery_time
  at = writeString(buffer, at, validityPeriod);
  buffer[at++] = submit.registeredDelivery ?? 1;
  buffer[at++] = 0; // replace_if_present_flag
  buffer[at++] = part.dataCoding;
  buffer[at++] = 0; // sm_default_msg_id
  if (part.inPayload) return writePayload(buffer, at, part);
  buffer[at++] = part.body.length + userDataHeaderOctets(part);
  return writeBody(buffer, at, part, submit.reference ?? 0);
}

/** The fields of a data_sm behind esm_class: it has no priority, and its validity is a number of seconds in a TLV. */
function writeDataTail(buffer: Buffer, start: number, submit: Submit, validityPeriod: string): number {
  const { part } = submit;
  let at = start;
  buffer[at++] = submit.registeredDelivery ?? 1;
  buffer[at++] = part.dataCoding;
  if (validityPeriod !== "") {
    at = writeTlv32(buffer, at, tlv.qosTimeToLive, relativeSeconds(validityPeriod));
  }
  const octets = userDataHeaderOctets(part) + part.body.length;
  buffer.writeUInt16BE(tlv.messagePayload, at);
  buffer.writeUInt16BE(octets, at + 2);
  return writeBody(buffer, at + 4, part, submit.reference ?? 0);
}

/**
 * Section 7.1.1.2: years, months, days, hours, minutes and seconds of two digits each, three more characters, and R. A year
 * counts as 365 days and a month as 30: no carrier keeps a message that long.
 *
 * @throws RangeError for an absolute time, which a data_sm cannot carry.
 */
function relativeSeconds(period: string): number {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{3}R$/.exec(period);
  if (match === null) throw new RangeError("a data_sm with a validity period that is not relative");
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  return (((years * 365 + months * 30 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
}

function assertSubmit(submit: Submit, validityPeriod: string, isDataSm: boolean): void {
  const { part, destination } = submit;
  assertText(submit.source.address, ADDRESS_CHARACTERS_MAX);
  assertText(destination, ADDRESS_CHARACTERS_MAX);
  if (destination === "") throw new RangeError("a submit without destination");
  assertText(validityPeriod, 16);
  if (isDataSm && validityPeriod !== "") relativeSeconds(validityPeriod);
  const octetsMax = part.inPayload ? PAYLOAD_OCTETS_MAX : SHORT_MESSAGE_OCTETS_MAX - userDataHeaderOctets(part);
  if (part.body.length > octetsMax) {
    throw new RangeError(`a part of ${part.body.length} octets where ${octetsMax} are the most`);
  }
  if (part.concat !== undefined && submit.reference === undefined) {
    throw new RangeError("a part of a long message without its reference");
  }
}

function hasUserDataHeader(part: MessagePart): boolean {
  return part.concat !== undefined && part.concat.mode !== "sar";
}

function userDataHeaderOctets(part: MessagePart): number {
  return part.concat === undefined ? 0 : headerOctetsByMode[part.concat.mode];
}

function writePayload(buffer: Buffer, at: number, part: MessagePart): number {
  buffer[at] = 0; // sm_length: short_message and message_payload exclude each other.
  return writeTlvOctets(buffer, at + 1, tlv.messagePayload, part.body);
}

/** The text, behind the user data header of its part. */
function writeBody(buffer: Buffer, at: number, part: MessagePart, reference: number): number {
  const { body, concat } = part;
  if (concat?.mode === "udh8") {
    // TS 23.040 section 9.2.3.24.1: length of what follows, element 0 of 3 octets.
    buffer[at++] = 5;
    buffer[at++] = 0;
    buffer[at++] = 3;
    buffer[at++] = reference & 0xff;
    buffer[at++] = concat.partCount;
    buffer[at++] = concat.partNumber;
  } else if (concat?.mode === "udh16") {
    // Section 9.2.3.24.8: element 8 of 4 octets.
    buffer[at++] = 6;
    buffer[at++] = 8;
    buffer[at++] = 4;
    buffer[at++] = (reference >> 8) & 0xff;
    buffer[at++] = reference & 0xff;
    buffer[at++] = concat.partCount;
    buffer[at++] = concat.partNumber;
  }
  buffer.set(body, at);
  return at + body.length;
}

function writeSar(buffer: Buffer, at: number, concat: NonNullable<MessagePart["concat"]>, reference: number): number {
  let next = writeTlv16(buffer, at, tlv.sarMsgRefNum, reference & 0xffff);
  next = writeTlv8(buffer, next, tlv.sarTotalSegments, concat.partCount);
  return writeTlv8(buffer, next, tlv.sarSegmentSeqnum, concat.partNumber);
}
