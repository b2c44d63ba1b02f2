/** Our refusals in Twilio's words: `{code, message, more_info, status}`, on every answer under its path. */
import { errorTable, type ErrorCode } from "@ewebal/contract";
import type { AppError } from "../../../base/errors.ts";

type TwilioRefusal = { status: number; code: number };

/** A refusal that only this path knows, by Twilio's own number. */
export class TwilioError extends Error {
  override readonly name = "TwilioError";
  readonly status: number;
  readonly code: number;

  constructor(code: number, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const refusals: Partial<Record<ErrorCode, TwilioRefusal>> = {
  AUTH_REQUIRED: { status: 401, code: 20003 },
  BLOCKED: { status: 403, code: 20005 },
  ADDRESS_NOT_APPROVED: { status: 403, code: 20403 },
  SCOPE_MISSING: { status: 403, code: 20403 },
  NOT_FOUND: { status: 404, code: 20404 },
  RATE_LIMITED: { status: 429, code: 20429 },
  LIMIT_REACHED: { status: 429, code: 63038 },
  UNITS_REQUIRED: { status: 400, code: 30002 },
  SENDER_NOT_APPROVED: { status: 400, code: 21606 },
  WRONG_COUNTRY_CODE: { status: 400, code: 21211 },
  NO_PRICE: { status: 400, code: 21408 },
  NO_ROUTE: { status: 400, code: 21408 },
  NOT_SENDABLE: { status: 400, code: 30007 },
  STATE_CONFLICT: { status: 409, code: 20009 },
};

/** What is wrong with the fields of a send, by our names of them. */
const fieldCodes: readonly (readonly [field: string, code: number])[] = [
  ["phoneNo", 21211],
  ["code", 21211],
  ["senderName", 21606],
  ["sendAt", 35114],
  ["StatusCallback", 21609],
];

export function toTwilioRefusal(error: AppError | TwilioError): TwilioRefusal & { message: string } {
  if (error instanceof TwilioError) return { status: error.status, code: error.code, message: error.message };
  const { message, fields } = error;
  if (error.code === "VALIDATION" && fields !== undefined) {
    const code = fieldCodes.find(([field]) => field in fields)?.[1] ?? 20001;
    const faults = Object.entries(fields).map(([name, fault]) => `${twilioNames[name] ?? name} ${fault}`);
    return { status: 400, code, message: faults.join("; ") };
  }
  const { status } = errorTable[error.code];
  return { ...(refusals[error.code] ?? { status, code: 20_000 + status }), message };
}

const twilioNames: Readonly<Record<string, string>> = {
  phoneNo: "To",
  code: "To",
  senderName: "From",
  message: "Body",
  sendAt: "SendAt",
  validUntil: "ValidityPeriod",
};
