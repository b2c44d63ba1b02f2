/** Texts for refused fields, in our own words: those of the schema library are written for programmers. */
import { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const typeWords: Readonly<Record<string, string>> = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  bigint: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
  date: "must be a date",
};

/** Names only the first unknown fields, shortened: a refusal must not be as long as its request. */
const UNKNOWN_FIELDS_MAX = 20;
const UNKNOWN_NAME_MAX = 50;

const formatWords: Readonly<Record<string, string>> = {
  email: "must be an e-mail address, such as name@example.com",
  url: "must be a web address, such as https://example.com",
  uuid: "is not an id",
  datetime: "must be a date and time with offset, such as 2026-11-22T09:30:00+01:00",
  date: "must be a date, such as 2026-11-22",
};

/** @returns a predicate that follows the field's name, such as "must have at most 10 characters". */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : (typeWords[issue.expected] ?? "has the wrong type");
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "too_big":
      return describeBound("at most", { ...issue, bound: issue.maximum });
    case "too_small":
      return Number(issue.minimum) === 1 && issue.origin !== "number" && issue.origin !== "int"
        ? "is required"
        : describeBound("at least", { ...issue, bound: issue.minimum });
    case "invalid_format":
      return formatWords[issue.format] ?? "has the wrong format";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys
        .slice(0, UNKNOWN_FIELDS_MAX)
        .map((key) => key.slice(0, UNKNOWN_NAME_MAX))
        .join(", ")}`;
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      break;
  }
  return "is not valid";
}

function describeBound(
  word: "at most" | "at least",
  { bound, origin, inclusive, exact }: { bound: number | bigint; origin: string; inclusive?: boolean; exact?: boolean },
): string {
  const count = Number(bound);
  if (origin === "number" || origin === "int" || origin === "bigint") {
    if (inclusive === false)
      return `must be ${word === "at most" ? "less" : "more"} than ${count.toLocaleString("en")}`;
    return `must be ${word} ${count.toLocaleString("en")}`;
  }
  const [one, many] =
    origin === "string" ? ["character", "characters"] : origin === "file" ? ["byte", "bytes"] : ["entry", "entries"];
  return `must have ${exact === true ? "exactly" : word} ${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

type FoundIssue = { path: readonly PropertyKey[]; message: string; code?: string; keys?: readonly string[] };

/**
 * @returns the fault of each field by its path (`recipients.0.phoneNo`); an unknown field has an entry of its own name.
 */
export function listFields(issues: readonly FoundIssue[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message, code, keys } of issues) {
    const unknown = code === "unrecognized_keys" ? (keys ?? []).slice(0, UNKNOWN_FIELDS_MAX) : [];
    if (unknown.length === 0) fields[path.join(".") || "body"] ??= message;
    for (const key of unknown)
      fields[[...path, key.slice(0, UNKNOWN_NAME_MAX)].join(".")] ??= "is not a field of this call";
  }
  return fields;
}

/** Makes these the default texts of every schema in this process. */
export function useOwnIssueWords(): void {
  z.config({ customError: describeIssue });
}
