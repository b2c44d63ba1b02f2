/**
 * What a sender name may be, and which names an administrator should look at twice. Nothing here refuses a look-alike:
 * the bank that asks for its own name is as much a customer as the one who pretends to be it.
 */
import { limits } from "@ewebal/contract";
import { RESERVED_NAMES } from "./reserved-names.ts";

const ALLOWED = /^[A-Za-z0-9 .&_-]*$/;
const LETTER = /[A-Za-z]/;
/** Shorter reserved names stand inside too many harmless words to be looked for there: GLO in GLOBAL. */
const INNER_MATCH_CHARACTERS_MIN = 5;

/**
 * @param charactersMin a request form asks for more characters than a carrier does.
 * @returns what is wrong with the name, as the end of a sentence that begins with it; undefined when nothing is.
 */
export function findSenderNameFault(name: string, charactersMin: number = limits.senderNameCharactersMin): string | undefined {
  if (!ALLOWED.test(name)) return "may have letters, digits, spaces and . & _ - only";
  if (name.length > limits.senderNameCharactersMax) return `has more than ${limits.senderNameCharactersMax} characters`;
  if (name.length < charactersMin) return `needs at least ${charactersMin} characters`;
  if (!LETTER.test(name)) return "needs at least one letter";
  return undefined;
}

/** @returns the names between the commas, without the spaces around them, each once; empty ones are left out. */
export function splitSenderNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The name as a hasty reader sees it: without case, spaces and marks, and with 0 as O, 1 and I as l, 5 as S. */
export function skeletonOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/0/g, "o")
    .replace(/[1i]/g, "l")
    .replace(/5/g, "s");
}

/**
 * @param ownNames what the installation calls itself; nobody else should.
 * @returns a sentence for each kind of reserved name that this one reads like.
 */
export function findReservedNameWarnings(name: string, ownNames: readonly string[] = []): string[] {
  const skeleton = skeletonOf(name);
  const words = new Set(splitWords(name).map(skeletonOf));
  const readsLike = (reserved: string): boolean => {
    const wanted = skeletonOf(reserved);
    if (wanted === "") return false;
    return skeleton === wanted || words.has(wanted) || (wanted.length >= INNER_MATCH_CHARACTERS_MIN && skeleton.includes(wanted));
  };
  const warnings = RESERVED_NAMES.flatMap(({ kind, names }) => {
    const found = names.find(readsLike);
    return found === undefined ? [] : [`Reads like ${found} (${kind})`];
  });
  return ownNames.some(readsLike) ? [...warnings, "Reads like the name of this service"] : warnings;
}

/** At spaces and marks, and where the case shows a new word: FirstBank, MTNPromo. */
function splitWords(name: string): string[] {
  return name.split(/[ .&_-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).filter((word) => word !== "");
}
