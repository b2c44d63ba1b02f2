/** Codes of refusals, as the API reference explains them. Later servers may know more, so any text is one. */
export type ErrorCode =
  | "AUTH_REQUIRED"
  | "SCOPE_MISSING"
  | "ADDRESS_NOT_APPROVED"
  | "BLOCKED"
  | "NOT_FOUND"
  | "VALIDATION"
  | "FIELD_MISSING"
  | "WRONG_COUNTRY_CODE"
  | "SENDER_NOT_APPROVED"
  | "CLASS_NOT_ALLOWED"
  | "UNITS_REQUIRED"
  | "LIMIT_REACHED"
  | "NO_PRICE"
  | "NO_ROUTE"
  | "NOT_SENDABLE"
  | "IDEMPOTENCY_CONFLICT"
  | "STATE_CONFLICT"
  | "ALREADY_DECIDED"
  | "LIST_CHANGED"
  | "CODE_WRONG"
  | "CODE_EXPIRED"
  | "RATE_LIMITED"
  | "BODY_TOO_LARGE"
  | "UNAVAILABLE"
  | "STORAGE_FULL"
  | "INTERNAL"
  | (string & {});

type Refusal = {
  status: number;
  code: ErrorCode;
  message: string;
  fields: Record<string, string>;
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
  body: unknown;
};

/** The server answered with a refusal. Nothing was done, and nothing charged. */
export class EwebalError extends Error {
  override readonly name = "EwebalError";
  readonly status: number;
  /** The stable word to branch on. */
  readonly code: ErrorCode;
  /** What is wrong with each field, by its path: `recipients.0.to`. */
  readonly fields: Readonly<Record<string, string>>;
  /** What support asks for. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The whole answer, such as `triesLeft` of a wrong code. */
  readonly body: unknown;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.body = refusal.body;
  }
}

/**
 * No answer arrived. A call with an idempotency key may have been done: repeat it with the same key, and it is done once.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** Of the call, where it has one. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause: unknown; idempotencyKey: string | undefined }) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** A webhook that did not come from the service, came too late, or was changed on its way. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}
