/** Parses and checks the bytes of a body. Pure, because large bodies are read in a thread. */
import type { z } from "zod";
import { listFields } from "../errors/issue-words.ts";

/** `wrong` carries what is wrong with each field. */
export type ReadResult<Value> = { kind: "read"; value: Value } | { kind: "wrong"; fields: Record<string, string> };

/** Keys that would change the prototype of an object. */
const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype"];

/** Reads JSON in UTF-8. */
export function readBody<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): ReadResult<z.infer<Schema>> {
  const json = readJson(bytes);
  return json.kind === "wrong" ? json : checkBody(schema, json.value);
}

/** Checks a value that is parsed already. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, value: unknown): ReadResult<z.infer<Schema>> {
  const checked = schema.safeParse(value);
  if (checked.success) return { kind: "read", value: checked.data };
  return wrongBody(listFields(checked.error.issues));
}

export function wrongBody(fields: Record<string, string>): { kind: "wrong"; fields: Record<string, string> } {
  return { kind: "wrong", fields };
}

export function readJson(bytes: Uint8Array): ReadResult<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return wrongBody({ body: "is not JSON in UTF-8" });
  }
  if (typeof value === "object" && value !== null && FORBIDDEN_KEYS.some((key) => Object.hasOwn(value, key))) {
    return wrongBody({ body: "has a key that is not allowed" });
  }
  return { kind: "read", value };
}
