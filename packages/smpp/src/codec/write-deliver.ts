import type { Address } from "../client/client-types.ts";
import { command, HEADER_OCTETS, tlv } from "./commands.ts";
import { assertText, writeHeader, writeString, writeText, writeTlv8, type PduTarget } from "./write-pdu.ts";

/** One deliver_sm, as a carrier sends it. */
export type Deliver = {
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly dataCoding: number;
  /** Of more than 254 octets it goes into message_payload. */
  readonly body: Uint8Array | string;
  /** Written as receipted_message_id and message_state. */
  readonly receipted?: { readonly messageId: string; readonly state: number };
};

const ADDRESS_CHARACTERS_MAX = 20;
const SHORT_OCTETS_MAX = 254;
/** What a phone can send is far below it, and a PDU holds more. */
const PAYLOAD_OCTETS_MAX = 32_767;
const OVERHEAD_OCTETS = 120;

/**
 * Writes a deliver_sm straight into the batch. A body given as a string is written one octet a character.
 *
 * @throws RangeError when a field does not fit SMPP; nothing was written then.
 */
export function writeDeliver(target: PduTarget, sequence: number, deliver: Deliver): void {
  const { source, destination, body, receipted } = deliver;
  assertText(source.address, ADDRESS_CHARACTERS_MAX);
  assertText(destination.address, ADDRESS_CHARACTERS_MAX);
  if (body.length > PAYLOAD_OCTETS_MAX)
    throw new RangeError(`a delivery of ${body.length} octets where ${PAYLOAD_OCTETS_MAX} are the most`);
  if (typeof body === "string") assertText(body, PAYLOAD_OCTETS_MAX);
  if (receipted !== undefined) assertText(receipted.messageId, 64);
  target.reserve(OVERHEAD_OCTETS + body.length + (receipted?.messageId.length ?? 0));
  const { buffer } = target;
  const start = target.at;
  let at = start + HEADER_OCTETS;
  buffer[at++] = 0; // service_type
  buffer[at++] = source.ton;
  buffer[at++] = source.npi;
  at = writeString(buffer, at, source.address);
  buffer[at++] = destination.ton;
  buffer[at++] = destination.npi;
  at = writeString(buffer, at, destination.address);
  buffer[at++] = deliver.esmClass;
  // protocol_id, priority, schedule, validity, registered_delivery, replace: all empty in a deliver_sm.
  buffer.fill(0, at, at + 6);
  at += 6;
  buffer[at++] = deliver.dataCoding;
  buffer[at++] = 0; // sm_default_msg_id
  if (body.length <= SHORT_OCTETS_MAX) buffer[at++] = body.length;
  else {
    buffer[at++] = 0;
    at = buffer.writeUInt16BE(tlv.messagePayload, at);
    at = buffer.writeUInt16BE(body.length, at);
  }
  if (typeof body === "string") at = writeText(buffer, at, body);
  else {
    buffer.set(body, at);
    at += body.length;
  }
  if (receipted !== undefined) at = writeReceipted(buffer, at, receipted);
  writeHeader(buffer, start, { octets: at - start, commandId: command.deliverSm, status: 0, sequence });
  target.at = at;
}

function writeReceipted(buffer: Buffer, at: number, receipted: NonNullable<Deliver["receipted"]>): number {
  const { messageId, state } = receipted;
  buffer[at] = tlv.receiptedMessageId >> 8;
  buffer[at + 1] = tlv.receiptedMessageId & 0xff;
  buffer[at + 2] = 0;
  buffer[at + 3] = messageId.length + 1;
  const next = writeString(buffer, at + 4, messageId);
  return writeTlv8(buffer, next, tlv.messageState, state);
}
