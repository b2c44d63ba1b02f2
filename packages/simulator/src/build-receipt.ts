import {
  esmClass,
  messageStateNumber,
  numberingPlan,
  receiptWords,
  typeOfNumber,
  type Deliver,
  type MessageState,
} from "@ewebal/smpp";
import type { CarriedMessage } from "./carried-message.ts";

/** Carriers write receipts by their own clock; this one stands in Lagos (UTC+1, no summer time). */
const LAGOS_OFFSET_MS = 3_600_000;
const TEXT_CHARACTERS_MAX = 20;

/** A receipt in the form of the SMPP specification's appendix B, with the TLVs as well. */
export function buildReceipt(
  message: CarriedMessage,
  outcome: { state: MessageState; errorCode: string; atMs: number },
): Deliver {
  const { state, errorCode, atMs } = outcome;
  const messageId = String(message.id);
  const isDelivered = state === "delivered";
  const isFinal = state !== "enroute";
  const body = [
    `id:${messageId} sub:001 dlvrd:${isDelivered ? "001" : "000"}`,
    `submit date:${receiptDate(message.acceptedAtMs)} done date:${receiptDate(atMs)}`,
    `stat:${receiptWords[state]} err:${errorCode} text:${asciiStart(message.text)}`,
  ].join(" ");
  return {
    source: { ton: typeOfNumber.international, npi: numberingPlan.isdn, address: message.recipient },
    destination: message.sender,
    esmClass: isFinal ? esmClass.deliveryReceipt : esmClass.intermediateNotification,
    dataCoding: 0,
    body,
    receipted: { messageId, state: messageStateNumber(state) },
  };
}

let cachedMinute = 0;
let cachedDate = "";

/** YYMMDDhhmm. Ten thousand receipts a second share the same minute. */
function receiptDate(ms: number): string {
  const minute = Math.floor(ms / 60_000);
  if (minute !== cachedMinute) {
    cachedMinute = minute;
    cachedDate = new Date(minute * 60_000 + LAGOS_OFFSET_MS).toISOString().replaceAll(/[-T:]/g, "").slice(2, 12);
  }
  return cachedDate;
}

function asciiStart(text: string): string {
  return text.slice(0, TEXT_CHARACTERS_MAX).replaceAll(/[^\x20-\x7e]/g, "?");
}
