/** The columns of a catalog beside the number: what a heading is called, and what a cell's text becomes. */
import { personalLimits } from "./personal-limits.ts";
import { countCharacters } from "../text/page-count.ts";

/** What is known of a contact beside its number. */
export type ContactColumnName = {
  /** Stands in texts as `{{key}}`. */
  key: string;
  /** The heading as people read it. */
  label: string;
};

/** A lower-case letter, then letters, digits and low lines; 30 characters at most. */
export const FIELD_KEY_FORM = /^[a-z][a-z0-9_]{0,29}$/;
const KEY_CHARACTERS_MAX = 30;
/** A heading without a letter of a to z still needs a key. */
const NAMELESS_KEY = "field";

/**
 * Makes a key of a heading: "Full Name" is `full_name`.
 *
 * @param taken the keys that other columns have; `_2`, `_3` tells them apart.
 */
export function keyOfLabel(label: string, taken: ReadonlySet<string> = new Set()): string {
  const plain = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, KEY_CHARACTERS_MAX)
    .replace(/_$/, "");
  const base = plain === "" ? NAMELESS_KEY : plain;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const ending = `_${number}`;
    const key = `${base.slice(0, KEY_CHARACTERS_MAX - ending.length)}${ending}`;
    if (!taken.has(key)) return key;
  }
}

/** Gives each column that has no key of its own one of its heading; keys that were given stand first. */
export function nameColumns(columns: readonly { key?: string | undefined; label: string }[]): ContactColumnName[] {
  const taken = new Set(columns.flatMap(({ key }) => (key === undefined ? [] : [key])));
  return columns.map(({ key, label }) => {
    const own = key ?? keyOfLabel(label, taken);
    taken.add(own);
    return { key: own, label };
  });
}

/**
 * A value as it is kept and merged: one line, without invisible control characters, without blanks around it. A value of blanks
 * alone is empty.
 */
export function cleanFieldValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  return value
    .toWellFormed()
    .replaceAll(/[\s\u0085]+/gu, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
}

/** Most values need no cleaning: letters, digits and single blanks between them. */
const PLAIN_VALUE = /^[\p{L}\p{N}]*(?:[ .,'-][\p{L}\p{N}]+)*$/u;

export function isFieldTooLong(value: string): boolean {
  return value.length > personalLimits.fieldCharactersMax && countCharacters(value) > personalLimits.fieldCharactersMax;
}
