/** A message as Twilio's resource. An SM sid is the hexadecimal of the message's id. */
import type { OutcomeReason } from "@ewebal/contract";
import type { Failure, OneRecipientMessage } from "../../delivery/index.ts";
import type { TwilioMessage } from "./twilio-store.ts";

const API_VERSION = "2010-04-01";

export type TwilioStatus =
  | "scheduled"
  | "accepted"
  | "queued"
  | "sent"
  | "delivered"
  | "undelivered"
  | "failed"
  | "canceled";

export function sidOf(messageId: string): string {
  return `SM${messageId.replaceAll("-", "")}`;
}

/** @returns undefined for a text that is no SM sid. */
export function messageIdOf(sid: string): string | undefined {
  const hex = /^SM([0-9a-f]{32})$/.exec(sid)?.[1];
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

type Fate = { status: TwilioStatus; errorCode: number | null };

export function fateOf(message: OneRecipientMessage): Fate {
  const { recipientState, failure } = message;
  if (recipientState === "sent" || recipientState === "unknown") return { status: "sent", errorCode: null };
  if (recipientState === "delivered") return { status: "delivered", errorCode: null };
  if (recipientState === "failed" || recipientState === "dnd") return failedAs(failure);
  if (recipientState === "optedOut") return { status: "failed", errorCode: OPTED_OUT };
  if (message.isSkipped) return { status: "failed", errorCode: UNREACHED_LIST };
  if (message.hasExpired) return { status: "failed", errorCode: VALIDITY_OVER };
  if (message.state === "cancelled") return { status: "canceled", errorCode: null };
  if (message.state === "scheduled") return { status: "scheduled", errorCode: null };
  if (message.state === "review" || message.state === "held") return { status: "accepted", errorCode: null };
  return { status: "queued", errorCode: null };
}

export const OPTED_OUT = 21610;
/** On the do-not-disturb list, and no carrier reaches it there. */
export const UNREACHED_LIST = 21612;
export const VALIDITY_OVER = 30036;
const UNKNOWN_ERROR = 30008;

const failureCodes: Partial<Record<OutcomeReason, number>> = {
  unknownNumber: 30005,
  notInService: 30005,
  outOfReach: 30003,
  phoneFull: 30003,
  dndReported: 30007,
  barred: 30007,
  rejected: 30007,
  carrierRefused: 30007,
  senderRefused: 21606,
  noRoute: 21408,
};

/** A carrier's report says undelivered; what was refused at once has failed. */
export function failedAs(failure: Failure | undefined): Fate {
  const errorCode = failureCodes[failure?.kind ?? "notDelivered"] ?? UNKNOWN_ERROR;
  return { status: failure?.isReported === true ? "undelivered" : "failed", errorCode };
}

const errorWords: Readonly<Record<number, string>> = {
  21408: "No carrier takes messages to this number",
  21606: "The carrier does not accept this sender name",
  [OPTED_OUT]: "The recipient has opted out of your messages",
  [UNREACHED_LIST]: "The recipient is on the do-not-disturb list",
  30003: "Unreachable destination handset",
  30005: "Unknown destination handset",
  30007: "Message filtered",
  [UNKNOWN_ERROR]: "Unknown error",
  [VALIDITY_OVER]: "Validity period expired",
};

export function presentTwilioMessage(row: TwilioMessage, message: OneRecipientMessage, accountSid: string) {
  const sid = sidOf(row.messageId);
  const { status, errorCode } = fateOf(message);
  const hasLeft = message.recipientState !== undefined;
  const path = `/${API_VERSION}/Accounts/${accountSid}/Messages/${sid}`;
  return {
    sid,
    account_sid: accountSid,
    messaging_service_sid: null,
    to: `+${row.phoneNo}`,
    from: message.senderName,
    body: message.body,
    status,
    num_segments: String(message.pageCount),
    num_media: "0",
    direction: "outbound-api",
    api_version: API_VERSION,
    price: null,
    price_unit: "NGN",
    error_code: errorCode,
    error_message: errorCode === null ? null : (errorWords[errorCode] ?? "Unknown error"),
    date_created: rfc2822(row.createdAt),
    date_sent: hasLeft ? rfc2822(message.sendAt ?? row.createdAt) : null,
    date_updated: rfc2822(message.updatedAt),
    uri: `${path}.json`,
    subresource_uris: { media: `${path}/Media.json` },
  };
}

/** As Twilio writes it: `Wed, 25 Nov 2026 17:00:00 +0000`. */
function rfc2822(time: Date): string {
  return time.toUTCString().replace("GMT", "+0000");
}
