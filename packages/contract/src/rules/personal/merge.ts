/**
 * Texts that are not the same for everybody: `{{key}}`, or `{{key|what stands where nothing is known}}`, and `{{link:https://...}}`. Pure; the
 * browser's preview, the price and what a carrier gets are made by it alike.
 *
 * Two braces, blanks, a key, blanks, optionally a bar and a fallback without braces, two braces; or two braces, `link:`, a target without braces, two
 * braces: anything else is ordinary text, `{{7*7}}` and `{{ }}` among it. What stands in a value is never merged again.
 */

/** A place where a value stands. */
export type MergeField = {
  key: string;
  /** Instead of an empty value; may be empty itself. Undefined: an empty value is missing. */
  fallback: string | undefined;
};

/** A place where a short link stands; the target as it was written, less the blanks around it. */
export type MergeLink = { target: string };

/** A text taken apart: what stands as it is, fields and links, in order. */
export type MergePattern = readonly (string | MergeField | MergeLink)[];

const FIELD = /\{\{\s*(?:([a-z][a-z0-9_]{0,29})\s*(?:\|([^{}]*))?|link:([^{}]*))\}\}/g;

/** Takes a text apart; a text without fields is itself alone. */
export function readPattern(text: string): MergePattern {
  const pattern: (string | MergeField | MergeLink)[] = [];
  let end = 0;
  for (const found of text.matchAll(FIELD)) {
    if (found.index > end) pattern.push(text.slice(end, found.index));
    const [, key, fallback, target] = found;
    pattern.push(key === undefined ? { target: (target ?? "").trim() } : { key, fallback: fallback?.trim() });
    end = found.index + found[0].length;
  }
  if (end < text.length || pattern.length === 0) pattern.push(text.slice(end));
  return pattern;
}

/** The keys that a pattern asks for, each once, in its order. */
export function keysOfPattern(pattern: MergePattern): string[] {
  return [...new Set(pattern.flatMap((part) => (typeof part !== "string" && "key" in part ? [part.key] : [])))];
}

/** Where a pattern's links lead, in its order. */
export function targetsOfPattern(pattern: MergePattern): string[] {
  return pattern.flatMap((part) => (typeof part !== "string" && "target" in part ? [part.target] : []));
}

/** What stands in the place of a link; `index` is its place among the text's links, from 0. */
export type LinkOf = (index: number, target: string) => string;

/** For whoever looks at where links lead, not at what recipients get. */
const asWritten: LinkOf = (_index, target) => `{{link:${target}}}`;

export type Merged =
  | { kind: "text"; text: string }
  /** Nothing is known of these keys, and they have no fallback. */
  | { kind: "missing"; keys: string[] };

/** @param valueOf what is known of a key; nothing, and blanks alone, is empty. */
export function mergePattern(
  pattern: MergePattern,
  valueOf: (key: string) => string | null | undefined,
  linkOf: LinkOf = asWritten,
): Merged {
  let text = "";
  let missing: string[] | undefined;
  let linkCount = 0;
  for (const part of pattern) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    if ("target" in part) {
      text += linkOf(linkCount, part.target);
      linkCount += 1;
      continue;
    }
    const value = valueOf(part.key) ?? "";
    const shown = value.trim() === "" ? part.fallback : value;
    if (shown === undefined) (missing ??= []).push(part.key);
    else text += shown;
  }
  return missing === undefined ? { kind: "text", text } : { kind: "missing", keys: [...new Set(missing)] };
}

/**
 * The text of one recipient: its own takes the place of the message's, and may hold fields.
 *
 * @param row the keys' values in their order, then the recipient's own text, if any, and what the sender calls it.
 */
export function mergeRow(
  pattern: MergePattern,
  keys: readonly string[],
  row: readonly (string | null)[],
  linkOf?: LinkOf,
): Merged {
  return mergePattern(patternOfRow(pattern, keys, row), (key) => row[keys.indexOf(key)], linkOf);
}

/** What one recipient's text is made of, see `mergeRow`. */
export function patternOfRow(
  pattern: MergePattern,
  keys: readonly string[],
  row: readonly (string | null)[],
): MergePattern {
  const own = row[keys.length];
  return typeof own === "string" ? readPattern(own) : pattern;
}

/** `{name}`, `[name]`, `<name>` of a known key: what people write who know another service. */
export type FieldLookAlike = { written: string; field: string };

/** @returns what is likely meant as a field and is none, each once. */
export function findFieldLookAlikes(text: string, keys: readonly string[]): FieldLookAlike[] {
  const plain = text.replaceAll(FIELD, " ");
  const found = new Map<string, FieldLookAlike>();
  for (const { 0: whole, 1: name = "", index } of plain.matchAll(LOOK_ALIKE)) {
    const key = keys.find(
      (one) =>
        one ===
        name
          .trim()
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "_"),
    );
    if (key === undefined) continue;
    let [start, end] = [index, index + whole.length];
    while (plain[start - 1] === "{" && plain[end] === "}") [start, end] = [start - 1, end + 1];
    const written = plain.slice(start, end);
    found.set(written, { written, field: `{{${key}}}` });
  }
  return [...found.values()];
}

const LOOK_ALIKE = /[{[<]([^{}<>[\]]{1,40})[}\]>]/g;
