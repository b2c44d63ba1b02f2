/**
 * Array parameters as PostgreSQL reads them. The driver builds the same text, but looks at every element's type and
 * quotes it: 1.1 us a number against 0.05 us here (a flush carries thousands).
 */

export function numberArray(values: readonly number[]): string {
  return `{${values.join(",")}}`;
}

/** Null stays null. */
export function textArray(values: readonly (string | null)[]): string {
  // Ids and keys need no quotes: all of them are looked at in one go, at a quarter of the cost of one after the other.
  const joined = values.join(",");
  if (PLAIN_LIST.test(joined) && !joined.includes("null") && countCommas(joined) === values.length - 1)
    return `{${joined}}`;
  let text = "{";
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (index > 0) text += ",";
    text += value === null ? "null" : quote(value);
  }
  return `${text}}`;
}

const PLAIN = /^[0-9a-z-]+$/;
const PLAIN_LIST = /^[0-9a-z-]+(?:,[0-9a-z-]+)*$/;

/** A comma within a value would make two of it. */
function countCommas(text: string): number {
  let count = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) count += 1;
  return count;
}

function quote(value: string): string {
  if (PLAIN.test(value) && value !== "null") return value;
  // PostgreSQL's text has no place for the zero character; carriers that write one mean nothing by it.
  return `"${value.replaceAll("\0", "").replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A column of rows that are written together, by its type's name; what needs the driver is left to it. */
export function packArray(type: string, values: readonly unknown[]): string | readonly unknown[] {
  if (type === "bytea") return values;
  if (type === "text" || type === "jsonb" || type === "uuid") return textArray(values as (string | null)[]);
  if (type === "timestamptz")
    return `{${(values as (Date | null)[]).map((time) => time?.toISOString() ?? "null").join(",")}}`;
  return `{${(values as (number | boolean | null)[]).map((value) => value ?? "null").join(",")}}`;
}

/** PostgreSQL stores no NUL, and half a character is none. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}
