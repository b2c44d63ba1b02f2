/** Checks every part of a request by its schema, then for characters that no text may contain. */
import type { FastifySchemaCompiler, FastifyValidationResult } from "fastify/types/schema.js";
import { validatorCompiler } from "fastify-type-provider-zod";
import type { z } from "zod";
import { fieldError } from "../../base/errors.ts";

/** Control characters, which no person types; PostgreSQL cannot store NUL. Line breaks and tabs are allowed. */
const CONTROL_CHARACTER = /(?![\t\n\r])\p{Cc}/u;

export const compileValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  return (...input: Parameters<FastifyValidationResult>) => {
    const checked = validate(...input);
    if (typeof checked !== "object" || !("value" in checked)) return checked;
    const place = findControlCharacter(checked.value);
    return place === undefined
      ? checked
      : { error: fieldError(place === "" ? "body" : place, "takes no control characters") };
  };
};

/**
 * Walks through a value that a schema has let through, so its depth and size are bounded by that schema and the body's
 * limit.
 *
 * @returns the path of the first text with a control character, such as `contacts.0.phoneNo`; empty for the value
 *   itself.
 */
export function findControlCharacter(value: unknown): string | undefined {
  if (typeof value === "string") return CONTROL_CHARACTER.test(value) ? "" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const place = findControlCharacter(part);
    if (place !== undefined) return place === "" ? key : `${key}.${place}`;
  }
  return undefined;
}
