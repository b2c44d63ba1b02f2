import { errorTable, type ErrorCode } from "@ewebal/contract";

type Details = {
  /** What is wrong with each field, by its name in the request. */
  fields?: Record<string, string>;
  /** A sentence for the person that says more than the table's; never secrets, nothing of another account. */
  message?: string;
  /** More of the answer's JSON, such as `retryAfterSeconds` or the wrong rows of a file. */
  extra?: Extra;
  /** The account concerned when nobody is signed in; for the security log only, never part of an answer. */
  account?: { kind: "user" | "admin"; id: string };
  cause?: unknown;
};

type Extra = Record<string, string | number | boolean | object>;

/**
 * A refusal that a caller can cause. Thrown by operations, translated to HTTP in `http/errors/error-translator.ts`
 * alone. For a broken assumption of our own use `assert` instead.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly extra: Extra;
  readonly account: Details["account"];

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? errorTable[code].message, { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.extra = details.extra ?? {};
    this.account = details.account;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** A `VALIDATION` refusal for one field. */
export function fieldError(field: string, reason: string): AppError {
  return new AppError("VALIDATION", { fields: { [field]: reason } });
}
