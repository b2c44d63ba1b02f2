import { limits } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../base/errors.ts";
import type { App } from "../app-type.ts";
import { compileValidator } from "../errors/compile-validator.ts";
import { listFields } from "../errors/issue-words.ts";

/**
 * Makes the routes of a scope accept JSON of up to 20 MB as bytes, which `BodyReader` reads instead of Fastify: parsing
 * that much in this thread would block every other request. The route keeps the body's schema for the API description.
 */
export function takeJsonAsBytes(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: limits.sendBodyBytesMax },
    (_request, body, done) => {
      done(null, body);
    },
  );
  scope.setValidatorCompiler((route) =>
    route.httpPart === "body" ? (value: unknown) => ({ value }) : compileValidator(route as never),
  );
}

/** Lets calls of a scope come with the type of JSON and without any: clients that always name a type do that to calls without a body. */
export function takeEmptyJson(scope: App): void {
  const parse = scope.getDefaultJsonParser("error", "error");
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, null);
    else void parse(request, body as string, done);
  });
}

/** @returns the bytes of a request in such a scope; empty when it has no body. */
export function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** For calls without fields. @throws AppError `VALIDATION` that names the fields of a body that has some. */
export function refuseFields(bytes: Buffer): void {
  if (bytes.byteLength === 0) return;
  const checked = z.strictObject({}).safeParse(parseJson(bytes));
  if (!checked.success) throw new AppError("VALIDATION", { fields: listFields(checked.error.issues) });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
