/** The texts that recipients get, made in the worker by the functions that the server prices and sends with. */
import type { PageRule } from "@ewebal/contract";
import {
  countCharacters,
  countPages,
  limits,
  mergeRow,
  readPattern,
  shortLink,
  valuesAt,
  type ValueRows,
} from "@ewebal/contract/rules";

export type MergeSummary = {
  /** What was merged: a summary of an older text says nothing about the present one. */
  message: string;
  pageRule: PageRule;
  ending: string;
  publicUrl: string;
  /** Recipients by the pages of their texts, the fewest pages first; without those who lack a value. */
  pageCounts: ReadonlyArray<{ pages: number; count: number }>;
  /** Of all of them together: what is charged. */
  pageSum: number;
  recipientCount: number;
  /** Who lacks a value for a field without a fallback: how many, how often each key is the reason, and the first of them. */
  missing: { count: number; keys: ReadonlyArray<{ key: string; count: number }>; first: string[] };
  /** Texts that nothing can be sent of. */
  tooLong: { count: number; first: string | undefined };
  empty: { count: number; first: string | undefined };
  /** The place of the recipient with the longest text. */
  longestPlace: number;
};

export type MergedRecipient = {
  place: number;
  phoneNo: string;
  /** Undefined where values are missing. */
  text: string | undefined;
  missingKeys: readonly string[];
  fields: Readonly<Record<string, string>>;
};

type Known = { numbers: Float64Array; keys: readonly string[]; rows: ValueRows };

/** What a text is made with beside values: all its links are as long as any. */
export type MergeText = {
  message: string;
  /** What each text ends in. */
  ending: string;
  publicUrl: string;
};

const FIRST_MISSING_MAX = 5;

export function mergeAll(task: Known & MergeText & { pageRule: PageRule }) {
  const { message, pageRule, ending, publicUrl, numbers, keys, rows } = task;
  const pattern = readPattern(message);
  const link = shortLink(publicUrl);
  const byPages = new Map<number, number>();
  const missingKeys = new Map<string, number>();
  const missing: string[] = [];
  const tooLong = { count: 0, first: undefined as string | undefined };
  const empty = { count: 0, first: undefined as string | undefined };
  let missingCount = 0;
  let pageSum = 0;
  let recipientCount = 0;
  let longestPlace = 0;
  let longest = -1;
  for (const [place, number] of numbers.entries()) {
    const merged = mergeRow(pattern, keys, valuesAt(rows, place), () => link);
    if (merged.kind === "missing") {
      missingCount += 1;
      if (missing.length < FIRST_MISSING_MAX) missing.push(String(number));
      for (const key of merged.keys) missingKeys.set(key, (missingKeys.get(key) ?? 0) + 1);
      continue;
    }
    const text = merged.text + ending;
    const fault = merged.text.trim() === "" ? empty : isTooLong(text) ? tooLong : undefined;
    if (fault !== undefined) {
      fault.count += 1;
      fault.first ??= String(number);
    }
    const pages = countPages(text, pageRule);
    byPages.set(pages, (byPages.get(pages) ?? 0) + 1);
    pageSum += pages;
    recipientCount += 1;
    if (text.length > longest) [longest, longestPlace] = [text.length, place];
  }
  const summary: MergeSummary = {
    message,
    pageRule,
    ending,
    publicUrl,
    pageCounts: [...byPages]
      .map(([pages, count]) => ({ pages, count }))
      .toSorted((one, other) => one.pages - other.pages),
    pageSum,
    recipientCount,
    missing: { count: missingCount, keys: [...missingKeys].map(([key, count]) => ({ key, count })), first: missing },
    tooLong,
    empty,
    longestPlace,
  };
  return summary;
}

function isTooLong(text: string): boolean {
  return text.length > limits.messageCharactersMax && countCharacters(text) > limits.messageCharactersMax;
}

/** @returns undefined for a place that is none. */
export function mergeOne(task: Known & MergeText & { place: number }): MergedRecipient | undefined {
  const { message, ending, publicUrl, place, numbers, keys, rows } = task;
  const number = numbers[place];
  if (number === undefined) return undefined;
  const values = valuesAt(rows, place);
  const merged = mergeRow(readPattern(message), keys, values, () => shortLink(publicUrl));
  return {
    place,
    phoneNo: String(number),
    text: merged.kind === "text" ? merged.text + ending : undefined,
    missingKeys: merged.kind === "text" ? [] : merged.keys,
    fields: Object.fromEntries(keys.map((key, index) => [key, values[index] ?? ""])),
  };
}
