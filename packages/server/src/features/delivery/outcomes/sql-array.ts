/**
 * Array parameters as PostgreSQL reads them. The driver builds the same text, but looks at every element's type and
 * quotes it: 1.1 us a number against 0.05 us here (a flush carries thousands).
 */

export function numberArray(values: readonly number[]): string {
  return `{${values.join(",")}}`;
}

/** Null stays null. */
export function textArray(values: readonly (string | null)[]): string {
  let text = "{";
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (index > 0) text += ",";
    text += value === null ? "null" : quote(value);
  }
  return `${text}}`;
}

const PLAIN = /^[0-9a-z-]+$/;

function quote(value: string): string {
  if (PLAIN.test(value) && value !== "null") return value;
  // PostgreSQL's text has no place for the zero character; carriers that write one mean nothing by it.
  return `"${value.replaceAll("\0", "").replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
