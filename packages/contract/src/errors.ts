/**
 * Every refusal the product knows: a stable code, its HTTP status and the sentence a person reads.
 * Codes are never renamed and never reused; `docs/errors.md` explains each one and a test compares the two.
 * Statuses and sentences of the first block are fixed by the specification's error catalogue.
 */
export const errorTable = {
  AUTH_REQUIRED: { status: 401, message: "Please sign in" },
  FORBIDDEN: { status: 403, message: "You don't have access to this" },
  NOT_FOUND: { status: 404, message: "Not found" },
  EMAIL_TAKEN: { status: 409, message: "This account already exists" },
  EMAIL_UNKNOWN: { status: 404, message: "There is no account with this email" },
  PASSWORD_WRONG: { status: 400, message: "The password is incorrect" },
  NOT_VERIFIED: { status: 401, message: "Verify your email first" },
  APPROVAL_REQUIRED: { status: 403, message: "An owner must approve you first. We will e-mail you" },
  BLOCKED: { status: 403, message: "This account is blocked. Please contact support" },
  ACCOUNT_CLOSED: { status: 403, message: "This account is closed" },
  VISIT_MAIL: { status: 401, message: "A mail with a link is on its way" },
  LINK_INVALID: { status: 400, message: "This link is no longer valid" },
  OTP_INVALID: { status: 400, message: "This code is no longer valid. Register again for a new one" },
  OTP_WRONG: { status: 400, message: "The code is incorrect" },
  PASSWORD_REQUIRED: { status: 401, message: "Enter the password of your administrator account" },
  CODE_REQUIRED: { status: 401, message: "Enter the code of your authenticator app" },
  CODE_WRONG: { status: 400, message: "This code is incorrect or already used" },
  PASSKEY_WRONG: { status: 400, message: "We can't accept this passkey. Try again, or sign in with your password" },
  CODE_EXPIRED: { status: 410, message: "This code is no longer valid. Send a new one" },
  TWO_FACTOR_REQUIRED: { status: 403, message: "Administrators need two-factor sign-in here. Set it up first" },
  HOST_NOT_ALLOWED: { status: 403, message: "Administrators register with a company mailbox" },
  SENDER_NOT_APPROVED: { status: 409, message: "This sender name is not approved for your account" },
  CLASS_NOT_ALLOWED: {
    status: 403,
    message: "Your account may not send transactional messages yet. Ask us to allow it",
  },
  SCOPE_MISSING: { status: 403, message: "This key lacks the scope that the call needs" },
  ADDRESS_NOT_APPROVED: { status: 403, message: "Your IP address is not approved for sending" },
  WRONG_COUNTRY_CODE: { status: 400, message: "A number does not belong to the chosen country" },
  NO_PRICE: { status: 400, message: "This country has no price yet. Ask us for one" },
  UNITS_REQUIRED: { status: 401, message: "You do not have enough SMS units" },
  LIMIT_REACHED: { status: 402, message: "Your account's sending limit is reached" },
  NO_ROUTE: { status: 550, message: "We can't send to this country at the moment" },
  NOT_SENDABLE: { status: 550, message: "This message cannot be sent" },
  IDEMPOTENCY_CONFLICT: { status: 422, message: "This key was already used for another request" },
  LIST_CHANGED: { status: 409, message: "The list has changed. Check it and try again" },
  ALREADY_DECIDED: { status: 409, message: "This was already decided" },
  LAST_OWNER: { status: 409, message: "This is the last owner. Make somebody else an owner first" },
  SAME_PERSON: { status: 409, message: "Another administrator has to decide this: you asked for it, or it is for you" },
  NOT_PAID: { status: 402, message: "The payment is not complete" },
  RATE_LIMITED: { status: 429, message: "Too many attempts. Please wait a moment" },
  VALIDATION: { status: 400, message: "Some fields are missing or incorrect" },
  FIELD_MISSING: { status: 400, message: "Some recipients lack a value for a field" },
  SIGNATURE_WRONG: { status: 401, message: "The signature is incorrect" },
  ORIGIN_REFUSED: { status: 403, message: "This request came from another site" },
  BODY_TOO_LARGE: { status: 413, message: "This request is too large" },
  HEADERS_TOO_LARGE: { status: 431, message: "The headers of this request are too large" },
  TOO_SLOW: { status: 408, message: "The request took too long to arrive" },
  MEDIA_TYPE_REFUSED: { status: 415, message: "This kind of content is not accepted here" },
  STATE_CONFLICT: { status: 409, message: "This can't be done in its current state" },
  STORAGE_FULL: { status: 507, message: "We can't save anything at the moment. Please try again later" },
  CARDS_OFF: { status: 503, message: "Card payments are not available. Buy units by bank deposit instead" },
  UNAVAILABLE: { status: 503, message: "The service is not ready. Please try again in a moment" },
  INTERNAL: { status: 500, message: "Something went wrong on our side" },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/** The JSON of every refusal. `fields` names each wrong field; `requestId` is what support asks for. */
export type ErrorBody = {
  message: string;
  code: ErrorCode;
  fields?: Record<string, string>;
  requestId?: string;
};
