/** Whose a message from a phone is. Pure: the owners of its number are looked up before. */
import type { NumberOwner } from "./inbox-store.ts";

/** Digits as numbers and short codes are compared; a name is none. */
const DIGITS = /^[0-9]{3,15}$/;
/** Ends a word, with blanks of any kind: what people put behind one without a blank. */
const WORD_END = /[\s.,;:!?]+/u;
const AROUND_WORD = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

export type Routed = {
  owner: NumberOwner | undefined;
  /** The owner's keyword, in capitals; undefined where the rest of the number is theirs. */
  keyword: string | undefined;
};

/** Without a plus; a Nigerian number as it is dialled at home gets its country code. Names stay as they are. */
export function readAddress(text: string): string {
  const trimmed = text.trim();
  const digits = trimmed.replaceAll(/[\s()+-]/g, "");
  return DIGITS.test(digits) ? digits.replace(/^0(?=[0-9]{10}$)/, "234") : trimmed;
}

/** @returns the words of a text as they are compared: in capitals, without the punctuation around them. */
export function readWords(text: string, wordsMax: number): string[] {
  const words: string[] = [];
  for (const part of text.normalize("NFKC").trimStart().split(WORD_END)) {
    const word = part.replaceAll(AROUND_WORD, "").toUpperCase();
    if (word !== "") words.push(word);
    if (words.length === wordsMax) break;
  }
  return words;
}

/**
 * The keyword's owner, then the owner of the rest of the number. A word that ends or begins messages (`isControl`) is followed by the keyword it
 * is about: at a number that customers share, `STOP PIZZA` is for whose PIZZA is.
 */
export function routeInbound(
  text: string,
  owners: readonly NumberOwner[],
  isControl: (word: string) => boolean = () => false,
): Routed {
  const [first = "", second = ""] = readWords(text, 2);
  const keyword = isControl(first) && owners.some((owner) => owner.keyword === second) ? second : first;
  const ofKeyword = keyword === "" ? undefined : owners.find((owner) => owner.keyword === keyword);
  if (ofKeyword !== undefined) return { owner: ofKeyword, keyword };
  return { owner: owners.find((owner) => owner.keyword === ""), keyword: undefined };
}
