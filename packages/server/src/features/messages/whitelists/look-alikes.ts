/** Which sender names read like a name that people trust without a second look. */
import { RESERVED_NAMES } from "./reserved-names.ts";

/** Shorter reserved names occur inside too many harmless words: GLO in GLOBAL. */
const INNER_MATCH_CHARACTERS_MIN = 5;
/** Shorter ones have innocent neighbours one letter away: Unity and Units, Visa and Vista, Apple and Apples. */
const NEIGHBOUR_CHARACTERS_MIN = 6;

/** The letter that a digit is read as; `i` and `l` look alike. */
const READ_AS: Readonly<Record<string, string>> = {
  0: "o",
  1: "l",
  i: "l",
  2: "z",
  3: "e",
  4: "a",
  5: "s",
  6: "g",
  7: "t",
  8: "b",
};

/**
 * Ordinary words that are one letter away from a reserved name. Of 221,074 English words of 3 to 11 letters 280 are flagged,
 * nearly all because they hold a reserved name whole; of 720 Nigerian and company names none (2026-11-22).
 */
const INNOCENT_NEIGHBOURS = new Set(
  [
    "boogie",
    "custom",
    "globes",
    "goggle",
    "googly",
    "haystack",
    "hermitage",
    "mobile",
    "papal",
    "policy",
    "polite",
    "provides",
    "remit",
    "remits",
    "residency",
    "sedate",
    "starling",
    "stealing",
  ].map(skeletonOf),
);

/** The name as a hasty reader sees it: without case, spaces and punctuation, and with digits as the letters that they look like. */
export function skeletonOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/[0-8i]/g, (character) => READ_AS[character] ?? character);
}

/**
 * @param ownNames what the installation calls itself; nobody else should.
 * @returns a sentence for each kind of reserved name that this one reads like.
 */
export function findReservedNameWarnings(name: string, ownNames: readonly string[] = []): string[] {
  const skeleton = skeletonOf(name);
  const words = new Set([skeleton, ...splitWords(name).map(skeletonOf)]);
  const readsLike = (reserved: string): boolean => {
    const wanted = skeletonOf(reserved);
    if (wanted === "") return false;
    if (wanted.length >= INNER_MATCH_CHARACTERS_MIN && skeleton.includes(wanted)) return true;
    return [...words].some((word) => isReadAs(word, wanted));
  };
  const warnings = RESERVED_NAMES.flatMap(({ kind, names }) => {
    const found = names.find(readsLike);
    return found === undefined ? [] : [`Reads like ${found} (${kind})`];
  });
  return ownNames.some(readsLike) ? [...warnings, "Reads like the name of this service"] : warnings;
}

/** Whether a word is a reserved name or is mistaken for it: by doubled letters at any length, by one typo in long names. */
function isReadAs(word: string, wanted: string): boolean {
  if (word === wanted || isWithDoubledLetters(word, wanted)) return true;
  return wanted.length >= NEIGHBOUR_CHARACTERS_MIN && !INNOCENT_NEIGHBOURS.has(word) && isOneSlipAway(word, wanted);
}

/** The same letters in the same order, some of them more often: MTTN, ZZENITH. */
function isWithDoubledLetters(word: string, wanted: string): boolean {
  if (word.length <= wanted.length) return false;
  let at = 0;
  for (const character of word) {
    if (wanted[at] === character) at += 1;
    else if (at === 0 || wanted[at - 1] !== character) return false;
  }
  return at === wanted.length;
}

/** One letter too many, one too few, one replaced, or two in the wrong order. */
function isOneSlipAway(word: string, wanted: string): boolean {
  const [short, long] = word.length <= wanted.length ? [word, wanted] : [wanted, word];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

/** Splits at spaces, at punctuation, and where the case begins a new word: FirstBank, MTNPromo; a digit between capitals begins none: M7N. */
function splitWords(name: string): string[] {
  const words = name.split(/[ .&_-]+/);
  const parts = words.flatMap((word) => word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/));
  return [...words, ...parts].filter((word) => word !== "");
}
