import { isGsmText } from "./gsm-alphabet.ts";

/** A character, as a reader sees it, that the GSM alphabet does not have. */
export type ForcingCharacter = {
  /** One visible character: a letter with its combining marks, an emoji with its modifiers. */
  character: string;
  count: number;
  /** What says the same in the GSM alphabet ("" when it is invisible), or undefined when nothing does. */
  replacement: string | undefined;
};

/**
 * Replacements that Unicode's own decomposition does not give. The naira sign becomes N, as amounts are written on price
 * tags (N5,000) at a third of the length of NGN. The zero-width joiner is absent, because removing it breaks up emoji.
 */
const REPLACEMENTS = new Map<string, string>([
  ...pairs("‘’‚‛′‵´`ʹʻʼʽˈ‹›", "'"),
  ...pairs("“”„‟″‶«»", '"'),
  ...pairs("‐‑‒–—―−⁃•·", "-"),
  ...pairs("\t\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000", " "),
  ...pairs("\u0085\u2028\u2029", "\n"),
  ...pairs("\u00AD\u200B\u200E\u200F\u2060\uFEFF", ""),
  ...pairs("₦", "N"),
  ...pairs("⁄∕÷", "/"),
  ...pairs("×", "x"),
  ["©", "(c)"],
  ["®", "(R)"],
  // Hooked, stroked and open letters of Hausa, Fulfulde, Kanuri, Ewe and their neighbours have no decomposition.
  ...letterPairs("ɓb ɗd ƙk ƴy ɖd ƒf ɣg ƭt ƥp ʋv ŋn ɲn ǝe ɛe ɔo ɩi ʊu ɨi ʉu đd ħh ıi łl ŧt"),
  ...letterPairs("ƁB ƊD ƘK ƳY ƉD ƑF ƔG ƬT ƤP ƲV ŊN ƝN ƎE ƐE ƆO ƖI ƱU ƗI ɄU ĐD ĦH ŁL ŦT"),
  ["œ", "oe"],
  ["Œ", "OE"],
]);

function pairs(characters: string, replacement: string): Array<[string, string]> {
  return Array.from(characters, (character) => [character, replacement]);
}

function letterPairs(list: string): Array<[string, string]> {
  return list.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]);
}

/** A flag, or a character with its combining marks, skin tones and everything joined to it. */
const VISIBLE_CHARACTER = /\p{RI}{2}|.(?:[\p{M}\u{1F3FB}-\u{1F3FF}]|\u200D.)*/gsu;
/** Marks that may be dropped from a Latin letter; those of other scripts carry the meaning. */
const DROPPABLE_MARKS = /[\u0300-\u036F]/gu;

/**
 * @returns each character that keeps the text from travelling as GSM-7, once, in order of appearance.
 */
export function listForcingCharacters(text: string): ForcingCharacter[] {
  const found = new Map<string, ForcingCharacter>();
  for (const [character] of text.matchAll(VISIBLE_CHARACTER)) {
    if (isGsmText(character)) continue;
    const known = found.get(character);
    if (known === undefined) found.set(character, { character, count: 1, replacement: findReplacement(character) });
    else known.count += 1;
  }
  return [...found.values()];
}

/**
 * Replaces every character that has a plain equivalent in the GSM alphabet and leaves the rest as it is, emoji included;
 * a text already in the alphabet comes back unchanged. Doing it twice changes nothing more.
 */
export function toPlainCharacters(text: string): string {
  if (isGsmText(text)) return text;
  return text.replace(VISIBLE_CHARACTER, (character) =>
    isGsmText(character) ? character : (findReplacement(character) ?? character),
  );
}

function findReplacement(character: string): string | undefined {
  // Composed first: "a" with a combining grave accent is the letter à, which the alphabet has.
  const composed = character.normalize("NFC");
  let plain = "";
  for (const codePoint of composed) {
    const replacement = findCodePointReplacement(codePoint, plain !== "");
    if (replacement === undefined) return undefined;
    plain += replacement;
  }
  return plain;
}

function findCodePointReplacement(codePoint: string, hasBase: boolean): string | undefined {
  if (isGsmText(codePoint)) return codePoint;
  const replacement = REPLACEMENTS.get(codePoint);
  if (replacement !== undefined) return replacement;
  const base = codePoint.normalize("NFKD").replace(DROPPABLE_MARKS, "");
  if (base === "") return hasBase ? "" : undefined;
  if (base === codePoint) return undefined;
  let plain = "";
  for (const part of base) {
    const plainPart = isGsmText(part) ? part : REPLACEMENTS.get(part);
    if (plainPart === undefined) return undefined;
    plain += plainPart;
  }
  return plain;
}
