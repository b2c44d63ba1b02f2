import { HEADER_OCTETS, INTERFACE_VERSION, tlv } from "./commands.ts";

/** Where the PDUs of one turn are put together; see `BatchWriter`. */
export type PduTarget = {
  /** Makes room for `octets` more; afterwards `buffer` and `at` say where. At most 64 KiB. */
  reserve(octets: number): void;
  buffer: Buffer;
  at: number;
};

export type Bind = {
  readonly commandId: number;
  readonly sequence: number;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
};

export function writeHeader(
  buffer: Buffer,
  at: number,
  header: { octets: number; commandId: number; status: number; sequence: number },
): void {
  buffer.writeUInt32BE(header.octets, at);
  buffer.writeUInt32BE(header.commandId, at + 4);
  buffer.writeUInt32BE(header.status, at + 8);
  buffer.writeUInt32BE(header.sequence, at + 12);
}

/** A PDU without a body: enquire_link, unbind, generic_nack, their answers, and every error answer. */
export function writeBare(target: PduTarget, commandId: number, status: number, sequence: number): void {
  target.reserve(HEADER_OCTETS);
  writeHeader(target.buffer, target.at, { octets: HEADER_OCTETS, commandId, status, sequence });
  target.at += HEADER_OCTETS;
}

/**
 * An answer whose body is one C-octet string: submit_sm_resp, deliver_sm_resp (where it is empty), data_sm_resp.
 *
 * @param id ASCII, at most 255 characters.
 */
export function writeIdAnswer(
  target: PduTarget,
  answer: { commandId: number; status: number; sequence: number; id: string },
): void {
  const { commandId, status, sequence, id } = answer;
  const octets = HEADER_OCTETS + id.length + 1;
  target.reserve(octets);
  const { buffer, at } = target;
  writeHeader(buffer, at, { octets, commandId, status, sequence });
  buffer[writeText(buffer, at + HEADER_OCTETS, id)] = 0;
  target.at = at + octets;
}

/** @throws RangeError when a field is longer than section 4.1.1 allows (15, 8 and 12 characters) or not ASCII. */
export function writeBind(target: PduTarget, bind: Bind): void {
  assertText(bind.systemId, 15);
  // 8 by the specification; carriers hand out longer ones, and take them.
  assertText(bind.password, 15);
  assertText(bind.systemType, 12);
  const octets = HEADER_OCTETS + bind.systemId.length + bind.password.length + bind.systemType.length + 3 + 4;
  target.reserve(octets);
  const { buffer } = target;
  writeHeader(buffer, target.at, { octets, commandId: bind.commandId, status: 0, sequence: bind.sequence });
  let at = writeString(buffer, target.at + HEADER_OCTETS, bind.systemId);
  at = writeString(buffer, at, bind.password);
  at = writeString(buffer, at, bind.systemType);
  buffer[at++] = INTERFACE_VERSION;
  buffer[at++] = 0; // addr_ton
  buffer[at++] = 0; // addr_npi
  buffer[at++] = 0; // address_range
  target.at = at;
}

/** bind_*_resp with sc_interface_version. */
export function writeBindAnswer(
  target: PduTarget,
  answer: { commandId: number; sequence: number; systemId: string },
): void {
  const octets = HEADER_OCTETS + answer.systemId.length + 1 + 5;
  target.reserve(octets);
  const { buffer } = target;
  writeHeader(buffer, target.at, { octets, commandId: answer.commandId, status: 0, sequence: answer.sequence });
  let at = writeString(buffer, target.at + HEADER_OCTETS, answer.systemId);
  at = writeTlv8(buffer, at, tlv.scInterfaceVersion, INTERFACE_VERSION);
  target.at = at;
}

/** Writes characters as octets, without NUL; returns where the buffer goes on. The caller has made sure of ASCII. */
export function writeText(buffer: Buffer, at: number, text: string): number {
  const { length } = text;
  for (let index = 0; index < length; index += 1) buffer[at + index] = text.charCodeAt(index);
  return at + length;
}

/** Writes a C-octet string. */
export function writeString(buffer: Buffer, at: number, text: string): number {
  const end = writeText(buffer, at, text);
  buffer[end] = 0;
  return end + 1;
}

export function writeTlv8(buffer: Buffer, at: number, tag: number, value: number): number {
  buffer[at] = tag >> 8;
  buffer[at + 1] = tag & 0xff;
  buffer[at + 2] = 0;
  buffer[at + 3] = 1;
  buffer[at + 4] = value;
  return at + 5;
}

export function writeTlv16(buffer: Buffer, at: number, tag: number, value: number): number {
  buffer[at] = tag >> 8;
  buffer[at + 1] = tag & 0xff;
  buffer[at + 2] = 0;
  buffer[at + 3] = 2;
  buffer[at + 4] = value >> 8;
  buffer[at + 5] = value & 0xff;
  return at + 6;
}

export function writeTlv32(buffer: Buffer, at: number, tag: number, value: number): number {
  buffer.writeUInt16BE(tag, at);
  buffer.writeUInt16BE(4, at + 2);
  buffer.writeUInt32BE(value, at + 4);
  return at + 8;
}

export function writeTlvOctets(buffer: Buffer, at: number, tag: number, octets: Uint8Array): number {
  buffer[at] = tag >> 8;
  buffer[at + 1] = tag & 0xff;
  buffer[at + 2] = octets.length >> 8;
  buffer[at + 3] = octets.length & 0xff;
  buffer.set(octets, at + 4);
  return at + 4 + octets.length;
}

/** @throws RangeError unless `text` has at most `lengthMax` characters, all of ASCII and none NUL. */
export function assertText(text: string, lengthMax: number): void {
  const { length } = text;
  if (length > lengthMax) throw new RangeError(`a field of ${length} characters where SMPP has room for ${lengthMax}`);
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0 || code > 0x7f) throw new RangeError("a field with a character that is not ASCII");
  }
}
