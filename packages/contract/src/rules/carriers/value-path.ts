/**
 * Where a value stands in an HTTP carrier's answer or report: `messages.0.status.name`, or `messages[0].status.name`. `*` stands for every element of
 * a list, so that one call may bring several reports: `results.*.messageId`.
 */

export type ValuePath = readonly string[];

const SEGMENT = /^(?:\*|[^.[\]*\s]{1,80})$/;

/** @returns undefined for a text that is no path. */
export function parseValuePath(text: string): ValuePath | undefined {
  const segments = text
    .replace(/^\$\.?/, "")
    .replace(/\[([^\]]*)\]/g, ".$1")
    .replace(/^\./, "")
    .split(".");
  return segments.length <= 20 && segments.every((segment) => SEGMENT.test(segment)) ? segments : undefined;
}

/** @param path without `*`. @returns undefined where nothing stands. */
export function readValue(value: unknown, path: ValuePath): unknown {
  let found = value;
  for (const segment of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, segment)) return undefined;
    found = (found as Record<string, unknown>)[segment];
  }
  return found;
}

/** A text, number or boolean as text; undefined for what is none, and for an empty text. */
export function readText(value: unknown, path: ValuePath): string | undefined {
  const found = readValue(value, path);
  if (typeof found === "string") return found.trim() === "" ? undefined : found.trim();
  return typeof found === "number" || typeof found === "boolean" ? String(found) : undefined;
}

/**
 * Reads JSON. A whole number beyond 2^53 comes as the text of its digits: as a number it would be rounded, and two ids of a carrier be one.
 *
 * @returns undefined for a text that is no JSON.
 */
export function readCarrierJson(text: string): unknown {
  try {
    if (!/[0-9]{16}/.test(text)) return JSON.parse(text);
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === "number" && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? "")
        ? context?.source
        : value,
    );
  } catch {
    // A carrier may answer with a page of HTML.
    return undefined;
  }
}
