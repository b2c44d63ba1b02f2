/**
 * What the API page says of the two calls that send; `api-facts.test.ts` compares it with the contract and with the
 * downloads.
 */
import type { ErrorCode } from "@ewebal/contract";

export const SEND_ADDRESS = "/api/v1/messages";
export const GET_ADDRESS = "/api/send-bulk-sms/{email}/{password}/{message}/{senderName}/{phoneNo}/{code}";

export const sendFields = [
  { name: "senderName", text: "one of your approved names, at most 11 characters" },
  { name: "message", text: "the text; each 160 characters are one page" },
  { name: "phoneNo", text: "up to 1,000,000 international numbers, digits only, separated by commas" },
  { name: "code", text: "the dialling code that all the numbers begin with, such as 234" },
] as const;

/** For texts that are not the same for everybody, and for when and to whom a message may leave. */
export const personalFields = [
  {
    name: "recipients",
    text: "in place of phoneNo, up to 10,000 of {to, fields, text}; the message may hold {{field}}",
  },
  { name: "onMissing", text: "skip leaves out who has no value for a field; otherwise nothing is sent" },
  { name: "optOutLink", text: "true ends each text in a line STOP: and a link by which its recipient opts out" },
  { name: "validUntil", text: "a time with offset: who is not handed over by then gets nothing and is not charged" },
  { name: "repeat", text: "with sendAt: {every: day, week or month, on, until} sends again at the same local time" },
  {
    name: "class",
    text: "promotional, which waits until quiet hours are over, or transactional where your account may send that",
  },
  {
    name: "dnd",
    text: "skip leaves out numbers on the do-not-disturb list also where a transactional message may reach them",
  },
  { name: "templateId", text: "in place of message, one of your templates" },
  { name: "sendAt", text: "a date and time with offset such as 2026-12-24T18:00:00+01:00: the message is sent then" },
  { name: "timeZone", text: "with sendAt, such as Africa/Lagos: your dashboard shows the time in it" },
  {
    name: "reference",
    text: "a word of your own, up to 64 characters, that comes back with the message and its webhooks",
  },
  { name: "dryRun", text: "true answers what would become of the message, and sends nothing" },
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
  { code: "SCOPE_MISSING", status: 403, text: "the key lacks the scope that the call needs" },
  { code: "ADDRESS_NOT_APPROVED", status: 403, text: "the key does not work from the caller's IP address" },
  { code: "CLASS_NOT_ALLOWED", status: 403, text: "your account may not send transactional messages" },
  { code: "SENDER_NOT_APPROVED", status: 409, text: "the sender name is not approved" },
  { code: "WRONG_COUNTRY_CODE", status: 400, text: "a number does not begin with the code" },
  { code: "NO_PRICE", status: 400, text: "the country has no price yet; ask us for one" },
  { code: "NOT_SENDABLE", status: 550, text: "a rule about contents refuses the message; message says why" },
  { code: "LIMIT_REACHED", status: 402, text: "the account's sending limit is reached" },
  { code: "UNITS_REQUIRED", status: 401, text: "there are not enough units; nothing was sent" },
  { code: "NO_ROUTE", status: 550, text: "no carrier takes messages to this country now" },
  { code: "IDEMPOTENCY_CONFLICT", status: 422, text: "the Idempotency-Key was used for another message" },
  { code: "RATE_LIMITED", status: 429, text: "too many calls; Retry-After says how many seconds to wait" },
  { code: "UNAVAILABLE", status: 503, text: "try again in a moment, with the same Idempotency-Key" },
];

export const DOWNLOAD_FOLDER = "/downloads/";
export const DOCUMENTATION_FILE = "sms-api.md";
