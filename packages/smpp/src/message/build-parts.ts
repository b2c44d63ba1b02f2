import { encodeGsm7Unpacked, encodeUtf16Be, segmentText, type Segmentation } from "@ewebal/gsm";
import type { ConcatMode, MessagePart } from "../client/client-types.ts";
import { dataCoding } from "../codec/commands.ts";

/** What the carrier means by data_coding 0. With `latin1` a text that Latin-1 does not have travels as UCS-2. */
export type CarrierAlphabet = "gsm7" | "latin1";

export type PartsOptions = {
  /** Default `udh8`: parts of 153 and 67, which is what people are shown and charged. `udh16` gives 152 and 66. */
  readonly mode?: ConcatMode;
  readonly alphabet?: CarrierAlphabet;
};

/** A header counts parts in one octet. */
const PART_COUNT_MAX = 255;

/**
 * Cuts and encodes a text into what `submit` takes. The parts are the same for every recipient; only the reference
 * differs, so build them once a text.
 *
 * @returns one part for a text that fits one message; none for an empty text.
 * @throws RangeError when the text needs more than 255 parts.
 */
export function buildParts(text: string, options: PartsOptions = {}): readonly MessagePart[] {
  const mode = options.mode ?? "udh8";
  const segmentation = segmentText(text, { concatReferenceBits: mode === "udh16" ? 16 : 8 });
  const coding = codingFor(text, segmentation, options.alphabet ?? "gsm7");
  // A text of GSM-7 that must travel as UCS-2 has other borders than the segmentation found.
  const texts = coding.isResegmented ? cutUnits(text, mode === "udh16" ? 66 : 67) : segmentation.parts;
  if (texts.length > PART_COUNT_MAX) throw new RangeError(`a text of ${texts.length} parts where 255 are the most`);
  if (mode === "payload" && texts.length > 1) {
    return [{ dataCoding: coding.dataCoding, body: coding.encode(text), inPayload: true }];
  }
  return texts.map((part, index) => ({
    dataCoding: coding.dataCoding,
    body: coding.encode(part),
    inPayload: false,
    ...(texts.length > 1 && mode !== "payload"
      ? { concat: { mode, partNumber: index + 1, partCount: texts.length } }
      : {}),
  }));
}

type Coding = {
  readonly dataCoding: number;
  readonly encode: (text: string) => Uint8Array;
  readonly isResegmented: boolean;
};

function codingFor(text: string, segmentation: Segmentation, alphabet: CarrierAlphabet): Coding {
  if (segmentation.encoding === "ucs2") {
    return { dataCoding: dataCoding.ucs2, encode: encodeUtf16Be, isResegmented: false };
  }
  if (alphabet === "gsm7") {
    return { dataCoding: dataCoding.carrierDefault, encode: encodeGsm7Unpacked, isResegmented: false };
  }
  if (isLatin1(text)) {
    // The carrier turns it into GSM-7 itself, so the borders are those of GSM-7.
    const encode = (part: string): Uint8Array => Buffer.from(part, "latin1");
    return { dataCoding: dataCoding.carrierDefault, encode, isResegmented: false };
  }
  return { dataCoding: dataCoding.ucs2, encode: encodeUtf16Be, isResegmented: true };
}

function isLatin1(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0xff) return false;
  }
  return true;
}

/** GSM-7 has no character outside the BMP, so no pair can be split here. */
function cutUnits(text: string, unitsPerPart: number): string[] {
  if (text.length <= 70) return [text];
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += unitsPerPart) parts.push(text.slice(at, at + unitsPerPart));
  return parts;
}
