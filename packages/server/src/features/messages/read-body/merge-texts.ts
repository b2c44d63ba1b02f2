/**
 * What the texts of a send cost and whether they can be sent, recipient by recipient: pure, because a million of them are read in a
 * thread. The texts themselves are made again when they are sent.
 */
import {
  type ContentRule,
  findLikelyNetwork,
  TextSearch,
  countCharacters,
  countPages,
  limits,
  measureText,
  mergeRow,
  optOutEnding,
  personalLimits,
  patternOfRow,
  readPattern,
  shortLink,
  targetsOfPattern,
  valuesAt,
  type PageRule,
  type ValueRows,
} from "@ewebal/contract";
import type { ReadResult } from "../../../http/bounds/read-body.ts";
import { hostOf } from "../../../base/loopback.ts";
import { isPublicHost } from "../../../http/outbound/public-address.ts";

/** Whether recipients without a value refuse the send or are left out of it. */
export type OnMissing = "refuse" | "skip";

/** Recipient by recipient, in the order of the distinct numbers: the keys' values, then the recipient's own text and reference. */
export type PersonalValues = { keys: string[]; rows: ValueRows };

/** A report comes for each part, and an integer tells this many apart; 1,600 plain characters are 11 parts, 1,600 emoji 49. */
export const CARRIER_PARTS_MAX = 31;
/** A part that is one of many carries 66 code units at least, and a character is two at most. */
const CHARACTERS_OF_FEW_PARTS = CARRIER_PARTS_MAX * 33;

export type MergedTexts = {
  /** Which recipients get a text, by their place among the distinct numbers. */
  places: Float64Array;
  /** Of each of them. */
  pageCounts: Uint8Array;
  /** Those who have no value for a field, by place. */
  missing: Float64Array;
  /** Whether some text needs more parts than a carrier's reports can tell apart. */
  hasTooManyParts: boolean;
  /** The most links that a text has, an opt-out link not counted. */
  linkCount: number;
  /** Which of the rules some text breaks, by their places among them. */
  brokenRules: number[];
};

/** Where short links begin, and whether each text ends in an opt-out link. */
export type LinkOptions = { publicUrl: string; hasOptOutLink: boolean };

export type MergeTask = {
  message: string;
  personal: PersonalValues;
  /** Distinct, in order. */
  numbers: Float64Array;
  onMissing: OnMissing;
  pageRule: PageRule;
  links: LinkOptions;
  /** Looked for in each text, and in what its links lead to. */
  rules: readonly ContentRule[];
};

/** Refuses a text that is too long, and names its number. */
export function readMergedTexts({
  message,
  personal,
  numbers,
  onMissing,
  pageRule,
  links,
  rules,
}: MergeTask): ReadResult<MergedTexts> {
  const pattern = readPattern(message);
  const write = writerOf(links);
  const search = new TextSearch(rules);
  let linkCount = 0;
  const places = new Float64Array(numbers.length);
  const pageCounts = new Uint8Array(numbers.length);
  const missing: number[] = [];
  let count = 0;
  let hasTooManyParts = false;
  for (let place = 0; place < numbers.length; place += 1) {
    const row = valuesAt(personal.rows, place);
    const merged = mergeRow(pattern, personal.keys, row, write.linkOf);
    if (merged.kind === "missing") {
      missing.push(place);
      continue;
    }
    const text = merged.text + write.ending;
    const fault = merged.text.trim() === "" ? "is empty" : findFault(text);
    if (fault !== undefined) return { kind: "wrong", fields: { message: `${fault} for ${numbers[place]}` } };
    hasTooManyParts ||= isOfTooManyParts(text);
    const targets = targetsOfPattern(patternOfRow(pattern, personal.keys, row));
    linkCount = Math.max(linkCount, targets.length);
    search.look([merged.text, ...targets].join(" "), () => networkOf(numbers[place] ?? 0));
    places[count] = place;
    pageCounts[count] = countPages(text, pageRule);
    count += 1;
  }
  const isComplete = missing.length === 0 || onMissing === "skip";
  if (!isComplete) count = 0;
  return {
    kind: "read",
    value: {
      places: places.slice(0, count),
      pageCounts: pageCounts.slice(0, count),
      missing: Float64Array.from(missing),
      hasTooManyParts,
      linkCount,
      brokenRules: [...search.found],
    },
  };
}

/** @returns the likely network's name; empty for other countries. */
export function networkOf(phoneNo: number): string {
  return findLikelyNetwork(String(phoneNo))?.name ?? "";
}

/** What is written with codes that are as long as every recipient's. */
export function writerOf({ publicUrl, hasOptOutLink }: LinkOptions): { linkOf: () => string; ending: string } {
  const link = shortLink(publicUrl);
  return { linkOf: () => link, ending: hasOptOutLink ? optOutEnding(publicUrl) : "" };
}

/** @returns the end of a sentence that begins with the field's name. */
export function findFault(text: string): string | undefined {
  const isLong = text.length > limits.messageCharactersMax && countCharacters(text) > limits.messageCharactersMax;
  return isLong ? `has more than ${limits.messageCharactersMax.toLocaleString("en")} characters` : undefined;
}

/** Some carriers' long messages have references of 16 bits, which leave less room in each part. */
export function isOfTooManyParts(text: string): boolean {
  if (text.length <= CHARACTERS_OF_FEW_PARTS) return false;
  return measureText(text, { concatReferenceBits: 16 }).partCount > CARRIER_PARTS_MAX;
}

/**
 * Where short links may lead: to web addresses that are everybody's. What a host's name stands for is not looked up: we connect to nothing.
 *
 * @returns the end of a sentence that begins with the field's name; undefined when all targets may be shortened.
 */
export function findLinkFault(targets: readonly string[]): string | undefined {
  if (targets.length > personalLimits.linksPerTextMax) return `has more than ${personalLimits.linksPerTextMax} links`;
  for (const target of targets) {
    const fault = findTargetFault(target);
    if (fault !== undefined) return `has the link "${target.slice(0, 60)}", which ${fault}`;
  }
  return undefined;
}

function findTargetFault(target: string): string | undefined {
  if (target.length > personalLimits.linkTargetCharactersMax)
    return `has more than ${personalLimits.linkTargetCharactersMax.toLocaleString("en")} characters`;
  const url = /\s/.test(target) ? null : URL.parse(target);
  if (url === null || !/^https?:\/\//i.test(target)) return "is no address that begins with http:// or https://";
  if (url.username !== "" || url.password !== "") return "holds a user name or a password";
  return isPublicHost(hostOf(url)) ? undefined : "does not lead to the public internet";
}
