/**
 * What the texts of a merged message's recipients are made of, as it travels with their batch. The message keeps the text as it was written;
 * each recipient's own is merged from it when it is sent and whenever it is shown.
 */
import {
  mergeRow,
  optOutEnding,
  personalLimits,
  readPattern,
  shortLink,
  targetsOfPattern,
  patternOfRow,
  type Merged,
  type MergePattern,
  type ValueRows,
} from "@ewebal/contract";

/** Of a whole message, recipient by recipient in the order of its numbers. */
export type MergeInput = {
  keys: readonly string[];
  /** The values of the keys, then the recipient's own text and reference; null for none. */
  rows: ValueRows;
  /** Which row is whose: recipients that were left out have one, too. */
  places: Float64Array;
  pageCounts: Uint8Array;
  /** Absent where no text has a link. */
  links?: MergeLinks | undefined;
};

/** Which links the texts of a message have. The address is kept with them: their length is paid for. */
export type MergeLinks = {
  publicUrl: string;
  /** The most that a text has. */
  linkCount: number;
  /** Each text ends in one. */
  hasOptOutLink: boolean;
};

/** Of one batch; `rows` as in `MergeInput`. */
export type MergeValues = {
  keys: readonly string[];
  rows: readonly (readonly (string | null)[])[];
  /** `codes`: recipient by recipient one for each link, and one for the opt-out link, all in one text. */
  links?: MergeLinks & { codes: string };
};

const decoder = new TextDecoder();

/** @returns JSON of the recipients from `start` to before `end`. The rows are JSON already and are put together as they are. */
export function mergeValuesOf({ keys, rows, places }: MergeInput, start: number, end: number): string {
  const parts: string[] = [];
  for (let index = start; index < end; index += 1) {
    const place = places[index] ?? 0;
    const from = rows.places[place * 2] ?? 0;
    const to = rows.places[place * 2 + 1] ?? 0;
    parts.push(to === 0 ? "[]" : decoder.decode(rows.bytes.subarray(from, to)));
  }
  return `{"keys":${JSON.stringify(keys)},"rows":[${parts.join(",")}]}`;
}

/** @returns the JSON of a batch with its links' codes. */
export function withCodes(mergeValues: string, links: NonNullable<MergeValues["links"]>): string {
  return `${mergeValues.slice(0, -1)},"links":${JSON.stringify(links)}}`;
}

/** @returns the JSON of a batch that knows nothing of one of its recipients any more. */
export function withoutRow(mergeValues: string, offset: number): string {
  const values = JSON.parse(mergeValues) as MergeValues;
  return JSON.stringify({ ...values, rows: values.rows.with(offset, []) });
}

/** The texts of one batch's recipients, each made when it is asked for. */
export class MergedTexts {
  readonly #values: MergeValues;
  readonly #pattern: MergePattern;

  /** @param mergeValues JSON of a batch. @param body the message as it was written. */
  constructor(mergeValues: string, body: string) {
    this.#values = JSON.parse(mergeValues) as MergeValues;
    this.#pattern = readPattern(body);
  }

  textAt(offset: number): string {
    const { keys, rows, links } = this.#values;
    // What was accepted has no value missing.
    if (links === undefined) return textOf(mergeRow(this.#pattern, keys, rows[offset] ?? []));
    const { publicUrl, linkCount, hasOptOutLink } = links;
    const merged = mergeRow(this.#pattern, keys, rows[offset] ?? [], (index) =>
      shortLink(publicUrl, this.codeAt(offset, index)),
    );
    const ending = hasOptOutLink ? optOutEnding(publicUrl, this.codeAt(offset, linkCount)) : "";
    return textOf(merged) + ending;
  }

  get hasShortLinks(): boolean {
    return (this.#values.links?.linkCount ?? 0) > 0;
  }

  /** @param slot a link's place among the recipient's, from 0; the opt-out link's is behind the last that any text has. */
  codeAt(offset: number, slot: number): string {
    const { linkCount = 0, hasOptOutLink = false, codes = "" } = this.#values.links ?? {};
    const start = (offset * (linkCount + Number(hasOptOutLink)) + slot) * personalLimits.linkCodeCharacters;
    return codes.slice(start, start + personalLimits.linkCodeCharacters);
  }

  /** Where a recipient's link leads, as it was written; undefined for an opt-out link. */
  targetAt(offset: number, slot: number): string | undefined {
    const { keys, rows } = this.#values;
    return targetsOfPattern(patternOfRow(this.#pattern, keys, rows[offset] ?? []))[slot];
  }

  /** What the sender calls this recipient. */
  referenceAt(offset: number): string | null {
    return this.#values.rows[offset]?.[this.#values.keys.length + 1] ?? null;
  }

  get keys(): readonly string[] {
    return this.#values.keys;
  }

  rowAt(offset: number): readonly (string | null)[] {
    return this.#values.rows[offset] ?? [];
  }
}

function textOf(merged: Merged): string {
  return merged.kind === "text" ? merged.text : "";
}

/** What the recipients of a merged message's batch get and pay. */
export type MergedBatch = {
  texts: MergedTexts;
  /** Thousandths of a unit, by offset. */
  pricesMilli: readonly number[];
};
