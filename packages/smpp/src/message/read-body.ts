import { decodeGsm7Unpacked, decodeUtf16Be } from "@ewebal/gsm";
import { dataCoding, esmClass } from "../codec/commands.ts";

/** Which part of a long message a PDU carries. Parts belong together by both addresses, reference and count; `partNumber` counts from 1. */
export type PartPlace = {
  readonly reference: number;
  readonly partCount: number;
  readonly partNumber: number;
};

export type MessageBody = {
  readonly esmClass: number;
  readonly body: Buffer;
  /** From the TLVs sar_*; they stand instead of a user data header. */
  readonly sar: PartPlace | undefined;
};

/**
 * Takes a message apart: its text in octets, without user data header, and its place among the parts of a long message.
 *
 * @returns undefined when the header is longer than the body; `place` is undefined for a message of one part.
 */
export function readBody({
  esmClass: bits,
  body,
  sar,
}: MessageBody): { octets: Buffer; headerOctets: number; place: PartPlace | undefined } | undefined {
  const hasHeader = (bits & esmClass.userDataHeader) !== 0;
  const headerOctets = hasHeader ? (body[0] ?? 255) + 1 : 0;
  if (headerOctets > body.length) return undefined;
  const place = sar ?? (hasHeader ? readPlace(body.subarray(1, headerOctets)) : undefined);
  return { octets: body.subarray(headerOctets), headerOctets, place };
}

/** Finds the concatenation element among those of a user data header (TS 23.040 section 9.2.3.24). */
function readPlace(elements: Buffer): PartPlace | undefined {
  for (let at = 0; at + 1 < elements.length; at += 2 + (elements[at + 1] ?? 0)) {
    const kind = elements[at];
    const octets = elements[at + 1] ?? 0;
    if (at + 2 + octets > elements.length) return undefined;
    if (kind === 0 && octets === 3) return placeFrom(elements[at + 2] ?? 0, elements.subarray(at + 3));
    if (kind === 8 && octets === 4) return placeFrom(elements.readUInt16BE(at + 2), elements.subarray(at + 4));
  }
  return undefined;
}

function placeFrom(reference: number, counts: Buffer): PartPlace {
  return { reference, partCount: counts[0] ?? 0, partNumber: counts[1] ?? 0 };
}

/**
 * Reads a text in the alphabet that data_coding names: UCS-2 (8, and with a message class 0x18 to 0x1B), unpacked GSM-7 (0, 1, and with a
 * class 0xF0 to 0xF3), else Latin-1, which no octet is outside of. Parts of one message are joined before they are read: a phone may cut
 * a character in two.
 */
export function decodeText(octets: Buffer, coding: number): string {
  if (coding === dataCoding.ucs2 || (coding & 0xfc) === 0x18) return decodeUtf16Be(octets);
  if (coding === dataCoding.carrierDefault || coding === 1 || (coding & 0xfc) === 0xf0)
    return decodeGsm7Unpacked(octets);
  return octets.toString("latin1");
}

/**
 * Reads a text that a client of ours submits: as `decodeText`, but data coding 1 is ASCII, as the specification says. Octets that ASCII has as
 * control characters are read as GSM 03.38, with the next one behind an escape, because the npm package `smpp` writes `$ @ _ [ ]` so; line
 * breaks are what they are.
 *
 * @returns undefined for a data coding that stands for no text: 2 and 4 (octets), 5 to 7, 9 and more without a message class.
 */
export function decodeSubmittedText(octets: Buffer, coding: number): string | undefined {
  if (coding === 1) return decodeAsciiWithGsm(octets);
  const isText = coding === dataCoding.carrierDefault || coding === dataCoding.latin1 || coding === dataCoding.ucs2;
  if (!isText && (coding & 0xfc) !== 0x18 && (coding & 0xfc) !== 0x10 && (coding & 0xfc) !== 0xf0) return undefined;
  // 0x10 to 0x13: the default alphabet with a message class (TS 23.038 section 4).
  return decodeText(octets, (coding & 0xfc) === 0x10 ? dataCoding.carrierDefault : coding);
}

const ESCAPE = 0x1b;

function decodeAsciiWithGsm(octets: Buffer): string {
  let text = "";
  for (let at = 0; at < octets.length; at += 1) {
    const octet = octets[at] ?? 0;
    if (octet >= 0x20 || octet === 0x0a || octet === 0x0d) {
      text += String.fromCharCode(octet);
      continue;
    }
    const length = octet === ESCAPE ? 2 : 1;
    text += decodeGsm7Unpacked(octets.subarray(at, at + length));
    at += length - 1;
  }
  return text;
}
