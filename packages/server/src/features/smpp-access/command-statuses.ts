/** How a refusal is said in SMPP: the status of an answer, for each code of the contract that a submit can meet. */
import type { ErrorCode } from "@ewebal/contract";
import { commandStatus } from "@ewebal/smpp";
import type { AppError } from "../../base/errors.ts";

/** Statuses of ours, in the range that SMPP leaves to each operator (0x0400 to 0x04ff); docs/smpp.md lists them. */
export const ownStatus = {
  noRoute: 0x0400,
  unitsRequired: 0x0401,
  /** The account's own limit for a country and a day. */
  dayLimitReached: 0x0402,
  /** The key was used for another submit. */
  keyOfAnother: 0x0409,
  dndListed: 0x040a,
  optedOut: 0x040b,
  contentRefused: 0x0432,
} as const;

/** What a submit is answered: its id, or a status other than ESME_ROK. */
export type SubmitAnswer = { kind: "accepted"; submitId: string } | { kind: "refused"; status: number };

const byCode: Partial<Record<ErrorCode, number>> = {
  AUTH_REQUIRED: commandStatus.ESME_RBINDFAIL,
  BLOCKED: commandStatus.ESME_RSUBMITFAIL,
  CLASS_NOT_ALLOWED: commandStatus.ESME_RINVSERTYP,
  SENDER_NOT_APPROVED: commandStatus.ESME_RINVSRCADR,
  WRONG_COUNTRY_CODE: commandStatus.ESME_RINVDSTADR,
  LIMIT_REACHED: ownStatus.dayLimitReached,
  UNITS_REQUIRED: ownStatus.unitsRequired,
  NO_PRICE: ownStatus.noRoute,
  NO_ROUTE: ownStatus.noRoute,
  NOT_SENDABLE: ownStatus.contentRefused,
  RATE_LIMITED: commandStatus.ESME_RTHROTTLED,
  NOT_FOUND: commandStatus.ESME_RINVMSGID,
};

/** Where a field is wrong: the first of these that is named. */
const byField: readonly [field: string, status: number][] = [
  ["senderName", commandStatus.ESME_RINVSRCADR],
  ["phoneNo", commandStatus.ESME_RINVDSTADR],
  ["code", commandStatus.ESME_RINVDSTADR],
  ["sendAt", commandStatus.ESME_RINVSCHED],
  ["validUntil", commandStatus.ESME_RINVEXPIRY],
  ["message", commandStatus.ESME_RINVMSGLEN],
];

export function statusOfFields(fields: Readonly<Record<string, string>>): number {
  return byField.find(([field]) => field in fields)?.[1] ?? commandStatus.ESME_RSUBMITFAIL;
}

export function statusOfError(error: AppError): number {
  if (error.code === "VALIDATION") return statusOfFields(error.fields ?? {});
  // A number that is never sent to is refused by the same code as a text, and names its field.
  if (error.code === "NOT_SENDABLE" && error.fields?.["phoneNo"] !== undefined) return commandStatus.ESME_RINVDSTADR;
  return byCode[error.code] ?? commandStatus.ESME_RSYSERR;
}
