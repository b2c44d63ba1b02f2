import { decodeGsm7Unpacked, decodeUtf16Be } from "@ewebal/gsm";
import { commandStatus, dataCoding, esmClass, type IncomingSubmit } from "@ewebal/smpp";
import type { PartPlace } from "./carried-message.ts";

export type SubmitReading =
  | { readonly kind: "text"; readonly text: string; readonly place: PartPlace | undefined }
  | { readonly kind: "malformed"; readonly status: number };

/** One short message has 140 octets: 160 septets, here one an octet. */
const gsmOctetsMax = 160;
const octetsMax = 140;

/** Checks a submit as strictly as carriers do, and reads its text. */
export function readSubmit(submit: IncomingSubmit): SubmitReading {
  if (!/^\d{7,15}$/.test(submit.destination.address)) return malformed(commandStatus.ESME_RINVDSTADR);
  if (submit.source.address === "") return malformed(commandStatus.ESME_RINVSRCADR);
  const { body } = submit;
  const hasHeader = (submit.esmClass & esmClass.userDataHeader) !== 0;
  const headerOctets = hasHeader ? (body[0] ?? 255) + 1 : 0;
  if (headerOctets > body.length) return malformed(commandStatus.ESME_RINVESMCLASS);
  const isUcs2 = submit.dataCoding === dataCoding.ucs2;
  const text = body.subarray(headerOctets);
  const lengthMax = isUcs2 || hasHeader ? octetsMax - headerOctets : octetsMax;
  const septetsMax = hasHeader ? Math.floor((lengthMax * 8) / 7) : gsmOctetsMax;
  // What comes in message_payload is cut by the carrier.
  if (!submit.isInPayload && text.length > (isUcs2 ? lengthMax : septetsMax)) {
    return malformed(commandStatus.ESME_RINVMSGLEN);
  }
  if (isUcs2 && text.length % 2 === 1) return malformed(commandStatus.ESME_RINVMSGLEN);
  const place = submit.sar ?? (hasHeader ? readPlace(body.subarray(1, headerOctets)) : undefined);
  if (place !== undefined && (place.partNumber < 1 || place.partNumber > place.partCount)) {
    return malformed(commandStatus.ESME_RINVESMCLASS);
  }
  return { kind: "text", text: decode(text, submit.dataCoding), place };
}

function malformed(status: number): SubmitReading {
  return { kind: "malformed", status };
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

function decode(octets: Buffer, coding: number): string {
  if (coding === dataCoding.ucs2) return decodeUtf16Be(octets);
  if (coding === dataCoding.carrierDefault || coding === 1) return decodeGsm7Unpacked(octets);
  return octets.toString("latin1");
}
