import { basicCharacterOf, ESCAPE_SEPTET, extensionCharacterOf, septetCountOf, septetOf } from "./gsm-alphabet.ts";

/**
 * GSM-7 as SMPP carries it with data_coding 0: one septet in each octet, unpacked; the carrier packs.
 *
 * @param text only characters of the alphabet; ask `segmentText` for the encoding first.
 * @returns one octet a basic character, two an extension character.
 * @throws RangeError naming the first character that the alphabet does not have; nothing is replaced silently.
 */
export function encodeGsm7Unpacked(text: string): Uint8Array {
  const octets = new Uint8Array(countSeptets(text));
  let offset = 0;
  for (let index = 0; index < text.length; index += 1) {
    const charCode = text.charCodeAt(index);
    if (septetCountOf(charCode) === 2) octets[offset++] = ESCAPE_SEPTET;
    octets[offset++] = septetOf(charCode);
  }
  return octets;
}

function countSeptets(text: string): number {
  let septetCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const charCode = text.charCodeAt(index);
    const count = septetCountOf(charCode);
    if (count === 0) throw new RangeError(`U+${hex(charCode)} at ${index} is not in the GSM 03.38 alphabet`);
    septetCount += count;
  }
  return septetCount;
}

function hex(charCode: number): string {
  return charCode.toString(16).toUpperCase().padStart(4, "0");
}

/**
 * Reads unpacked GSM-7 as a phone would (3GPP TS 23.038, 6.2.1.1): an unknown extension code shows the basic character of
 * that code, a lone or doubled escape shows a space. An octet above 0x7F is no septet and becomes U+FFFD.
 */
export function decodeGsm7Unpacked(octets: Uint8Array): string {
  let text = "";
  for (let index = 0; index < octets.length; index += 1) {
    const septet = octets[index] ?? 0;
    if (septet !== ESCAPE_SEPTET) {
      text += basicCharacterOf(septet);
      continue;
    }
    index += 1;
    const extension = octets[index];
    if (extension === undefined || extension === ESCAPE_SEPTET) text += " ";
    else text += extensionCharacterOf(extension) ?? basicCharacterOf(extension);
  }
  return text;
}

/**
 * UCS-2 as carriers take it with data_coding 8: UTF-16, big endian, no byte order mark, surrogate pairs as they are.
 * A lone surrogate becomes U+FFFD, which has the same length, because no carrier and no database takes half a character.
 */
export function encodeUtf16Be(text: string): Uint8Array {
  const wellFormed = text.toWellFormed();
  const octets = new Uint8Array(wellFormed.length * 2);
  for (let index = 0; index < wellFormed.length; index += 1) {
    const unit = wellFormed.charCodeAt(index);
    octets[index * 2] = unit >> 8;
    octets[index * 2 + 1] = unit & 0xff;
  }
  return octets;
}

/** Reads UTF-16, big endian. An odd last octet is dropped and half a surrogate pair becomes U+FFFD. */
export function decodeUtf16Be(octets: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset + 1 < octets.length; offset += 2) {
    text += String.fromCharCode(((octets[offset] ?? 0) << 8) | (octets[offset + 1] ?? 0));
  }
  return text.toWellFormed();
}
