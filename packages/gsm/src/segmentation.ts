import { septetCountOf } from "./gsm-alphabet.ts";
import { listForcingCharacters, type ForcingCharacter } from "./plain-characters.ts";

/** How a text travels: GSM 03.38 septets, or UTF-16 code units. One foreign character turns the whole text to UCS-2. */
export type SmsEncoding = "gsm7" | "ucs2";

export type SegmentationOptions = {
  /** Size of the reference that joins the parts of a long message; 8 unless told. 16 costs one unit of every part. */
  concatReferenceBits?: 8 | 16;
};

export type Measurement = {
  encoding: SmsEncoding;
  /** Septets in GSM-7 (an extension character is two), UTF-16 code units in UCS-2 (most emoji are two). */
  lengthUnits: number;
  /** Short messages that a carrier sends and bills; 0 for an empty text. */
  partCount: number;
  /** Units that still fit into the last part; a full single part counts as full, although one more unit would need two. */
  lastPartFreeUnits: number;
};

export type Segmentation = {
  /** The text cut where the carrier cuts it; joined, they are the text. */
  parts: string[];
  /** What forces UCS-2, each once, in order of appearance; empty in GSM-7. */
  forcingCharacters: ForcingCharacter[];
} & Measurement;

/** 140 octets hold 160 septets or 70 units; the header of a long message takes 6 octets, or 7 with a 16-bit reference. */
const SINGLE_PART_UNITS = { gsm7: 160, ucs2: 70 } as const;
const JOINED_PART_UNITS = { gsm7: { 8: 153, 16: 152 }, ucs2: { 8: 67, 16: 66 } } as const;

/**
 * Counts what `segmentText` would cut, without cutting: for prices, and for every keystroke.
 *
 * @param text of any length; half a surrogate pair counts as one unit.
 */
export function measureText(text: string, options: SegmentationOptions = {}): Measurement {
  return measure(text, options.concatReferenceBits ?? 8, undefined);
}

/** @returns how many short messages the text is; 0 when it is empty. */
export function countParts(text: string, options: SegmentationOptions = {}): number {
  return measureText(text, options).partCount;
}

/**
 * Cuts a text into the short messages that carry it. Parts are filled greedily, and neither an escape pair nor a surrogate
 * pair is ever split; a part may therefore end one unit short, and the count may be one above length divided by capacity.
 */
export function segmentText(text: string, options: SegmentationOptions = {}): Segmentation {
  const partEnds: number[] = [];
  const measurement = measure(text, options.concatReferenceBits ?? 8, partEnds);
  let start = 0;
  const parts = partEnds.map((end) => {
    const part = text.slice(start, end);
    start = end;
    return part;
  });
  return {
    ...measurement,
    parts,
    forcingCharacters: measurement.encoding === "ucs2" ? listForcingCharacters(text) : [],
  };
}

/** @param partEnds filled with the index after each part's last code unit, when given. */
function measure(text: string, referenceBits: 8 | 16, partEnds: number[] | undefined): Measurement {
  const lengthSeptets = countSeptets(text);
  const encoding: SmsEncoding = lengthSeptets === undefined ? "ucs2" : "gsm7";
  const lengthUnits = lengthSeptets ?? text.length;
  if (lengthUnits <= SINGLE_PART_UNITS[encoding]) {
    if (lengthUnits > 0) partEnds?.push(text.length);
    const partCount = lengthUnits === 0 ? 0 : 1;
    return { encoding, lengthUnits, partCount, lastPartFreeUnits: SINGLE_PART_UNITS[encoding] - lengthUnits };
  }
  const capacityUnits = JOINED_PART_UNITS[encoding][referenceBits];
  const filled =
    encoding === "gsm7" ? fillWithSeptets(text, capacityUnits, partEnds) : fillWithUnits(text, capacityUnits, partEnds);
  return {
    encoding,
    lengthUnits,
    partCount: filled.partCount,
    lastPartFreeUnits: capacityUnits - filled.lastPartUnits,
  };
}

/** @returns the septets of the text, or undefined as soon as a character is not in the alphabet. */
function countSeptets(text: string): number | undefined {
  let septetCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const count = septetCountOf(text.charCodeAt(index));
    if (count === 0) return undefined;
    septetCount += count;
  }
  return septetCount;
}

type Filling = {
  partCount: number;
  lastPartUnits: number;
};

function fillWithSeptets(text: string, capacityUnits: number, partEnds: number[] | undefined): Filling {
  let partCount = 1;
  let usedUnits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const units = septetCountOf(text.charCodeAt(index));
    if (usedUnits + units > capacityUnits) {
      partEnds?.push(index);
      partCount += 1;
      usedUnits = 0;
    }
    usedUnits += units;
  }
  partEnds?.push(text.length);
  return { partCount, lastPartUnits: usedUnits };
}

/** Steps from border to border instead of from character to character: only the border can split a pair. */
function fillWithUnits(text: string, capacityUnits: number, partEnds: number[] | undefined): Filling {
  let partCount = 1;
  let start = 0;
  while (text.length - start > capacityUnits) {
    start += capacityUnits;
    if (splitsSurrogatePair(text, start)) start -= 1;
    partEnds?.push(start);
    partCount += 1;
  }
  partEnds?.push(text.length);
  return { partCount, lastPartUnits: text.length - start };
}

function splitsSurrogatePair(text: string, index: number): boolean {
  return (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
