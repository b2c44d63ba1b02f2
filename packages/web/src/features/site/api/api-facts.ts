/**
 * What the API page says of the two calls that send; `api-facts.test.ts` compares it with the contract and with the
 * downloads.
 */
import type { ErrorCode } from "@ewebal/contract";
import curl from "../../../../public/downloads/send-sms.sh?raw";
import node from "../../../../public/downloads/send-sms.mjs?raw";
import php from "../../../../public/downloads/send-sms.php?raw";
import python from "../../../../public/downloads/send-sms.py?raw";

export const SEND_ADDRESS = "/api/v1/messages";
export const GET_ADDRESS = "/api/send-bulk-sms/{email}/{password}/{message}/{senderName}/{phoneNo}/{code}";

export const sendFields = [
  { name: "senderName", text: "one of your approved names, at most 11 characters" },
  { name: "message", text: "the text; each 160 characters are one page" },
  { name: "phoneNo", text: "up to 1,000,000 international numbers, digits only, separated by commas" },
  { name: "code", text: "the dialling code that all the numbers begin with, such as 234" },
] as const;

export const getParts = [
  { name: "email", text: "the e-mail address of your account" },
  { name: "password", text: "an API key, or the password of your account" },
  ...sendFields,
] as const;

type Refused = {
  code: ErrorCode;
  status: number;
  text: string;
};

/** In the order in which the server checks a call. */
export const refusals: readonly Refused[] = [
  { code: "AUTH_REQUIRED", status: 401, text: "the key is wrong or was revoked" },
  { code: "VALIDATION", status: 400, text: "a field is missing or wrong; fields names each one" },
  { code: "ADDRESS_NOT_APPROVED", status: 403, text: "the IP address of the caller is not approved" },
  { code: "SENDER_NOT_APPROVED", status: 409, text: "the sender name is not approved" },
  { code: "WRONG_COUNTRY_CODE", status: 400, text: "a number does not begin with the code" },
  { code: "LIMIT_REACHED", status: 402, text: "the account's sending limit is reached" },
  { code: "UNITS_REQUIRED", status: 401, text: "there are not enough units; nothing was sent" },
  { code: "NO_ROUTE", status: 550, text: "no carrier takes messages to this country now" },
  { code: "IDEMPOTENCY_CONFLICT", status: 422, text: "the Idempotency-Key was used for another message" },
  { code: "RATE_LIMITED", status: 429, text: "too many calls; Retry-After says how many seconds to wait" },
  { code: "UNAVAILABLE", status: 503, text: "try again in a moment, with the same Idempotency-Key" },
];

/** The downloads, with their contents. */
export const codeSamples = [
  { language: "curl", file: "send-sms.sh", text: curl },
  { language: "Node.js", file: "send-sms.mjs", text: node },
  { language: "PHP", file: "send-sms.php", text: php },
  { language: "Python", file: "send-sms.py", text: python },
] as const;

export const DOWNLOAD_FOLDER = "/downloads/";
export const DOCUMENTATION_FILE = "sms-api.md";
