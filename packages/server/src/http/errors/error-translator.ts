/** The one place where errors become HTTP. Every refusal is `{ message, code, fields?, requestId }`. */
import { errorTable, type ErrorBody, type ErrorCode } from "@ewebal/contract";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { isConnectionLost, SQL_STATE, sqlStateOf } from "../../db/sql-state.ts";
import { CommitUnknownError } from "../../db/transaction.ts";
import { AppError } from "../../base/errors.ts";
import { listFields } from "./issue-words.ts";
import { logRefusal } from "../monitoring/security-log.ts";

/** Fastify's own refusals, by its error code. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_REQ_FILE_TOO_LARGE: "BODY_TOO_LARGE",
  FST_PARTS_LIMIT: "BODY_TOO_LARGE",
  FST_FILES_LIMIT: "BODY_TOO_LARGE",
  FST_FIELDS_LIMIT: "BODY_TOO_LARGE",
  FST_PROTO_VIOLATION: "VALIDATION",
  FST_INVALID_JSON_FIELD_ERROR: "VALIDATION",
  FST_MP_PREMATURE_CLOSE: "VALIDATION",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "MEDIA_TYPE_REFUSED",
  FST_ERR_CTP_EMPTY_JSON_BODY: "VALIDATION",
  FST_ERR_CTP_INVALID_JSON_BODY: "VALIDATION",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "VALIDATION",
  FST_ERR_BAD_URL: "NOT_FOUND",
};

declare module "fastify" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** The code of the answer, when it is a refusal. */
    refusalCode: ErrorCode | null;
  }
}

export function translateError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toAppError(error);
  const status = errorTable[refusal.code].status;
  request.refusalCode = refusal.code;
  logRefusal(request, refusal.code, refusal.account);
  // Refusals are the caller's mistakes; only unexpected errors are logged as errors.
  if (status >= 500 && refusal.code !== "NO_ROUTE" && refusal.code !== "CARDS_OFF" && refusal.code !== "NOT_SENDABLE") {
    request.log.error({ err: error, code: refusal.code }, "request failed");
  }
  const body: ErrorBody & Record<string, unknown> = {
    ...refusal.extra,
    message: refusal.message,
    code: refusal.code,
    ...(refusal.fields && { fields: refusal.fields }),
    requestId: request.id,
  };
  if (typeof refusal.extra["retryAfterSeconds"] === "number") {
    void reply.header("retry-after", String(refusal.extra["retryAfterSeconds"]));
  }
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(body));
}

export function toAppError(error: FastifyError | Error): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationError(error.validation, error.validationContext);
  if ("code" in error && typeof error.code === "string") {
    const code = frameworkCodes[error.code];
    if (code !== undefined) return new AppError(code, { cause: error });
  }
  if ("statusCode" in error && error.statusCode === 400) return new AppError("VALIDATION", { cause: error });
  return databaseError(error) ?? new AppError("INTERNAL", { cause: error });
}

type ValidationIssue = {
  instancePath: string;
  message?: string | undefined;
  keyword: string;
  params: Record<string, unknown>;
};

/**
 * Reports all bad fields at once, by their names in the request.
 *
 * @param place the part of the request that holds them: `body`, `params`, ...
 */
function validationError(issues: readonly ValidationIssue[], place: string | undefined): AppError {
  const fields = listFields(
    issues.map(({ instancePath, message = "is not valid", keyword, params }) => ({
      path: instancePath.split("/").filter(Boolean),
      message,
      code: keyword,
      keys: (params["keys"] as string[] | undefined) ?? [],
    })),
  );
  // Nobody filled in a form here: the link itself is damaged.
  if (place === "params")
    return new AppError("VALIDATION", { message: "This address is incomplete or contains a mistake", fields });
  return new AppError("VALIDATION", { fields });
}

/** An unreachable or full database is not a fault of the request; trying again may help. */
function databaseError(error: Error): AppError | undefined {
  const state = sqlStateOf(error);
  if (state === SQL_STATE.diskFull || (error as NodeJS.ErrnoException).code === "ENOSPC") {
    return new AppError("STORAGE_FULL", { cause: error });
  }
  if (error instanceof CommitUnknownError || isConnectionLost(error) || state === SQL_STATE.tooManyConnections) {
    return new AppError("UNAVAILABLE", { cause: error });
  }
  return undefined;
}
