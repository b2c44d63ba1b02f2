import { esmClass } from "../codec/commands.ts";
import { decodeText } from "./read-body.ts";
import { messageStateFromNumber, messageStateFromWord, type MessageState } from "../codec/message-state.ts";
import type { MessageView } from "../codec/message-view.ts";
import type { ReceiptFields } from "../client/delivery.ts";

/**
 * Reads a delivery receipt: first the TLVs, then the text `id:... stat:... err:...` of appendix B, whose fields may
 * come in any order and any case, and may be missing.
 *
 * @returns undefined when the PDU is no receipt, but a message from a phone.
 */
export function readReceipt(view: MessageView): ReceiptFields | undefined {
  const type = view.esmClass & esmClass.typeMask;
  const isMarked = type === esmClass.deliveryReceipt || type === esmClass.intermediateNotification;
  const hasTlv = view.receiptedIdStart >= 0;
  const body = view.buffer.toString("latin1", view.bodyStart, view.bodyEnd);
  // Behind "text:" stands the message itself, which may hold any of the keys.
  const textAt = body.search(/\btext:/i);
  const text = textAt < 0 ? body : body.slice(0, textAt);
  // Some carriers forget the mark in esm_class: the words of a receipt say then that it is one. Others set it on what is none.
  const isWorded = /^\s*id:/i.test(text) && /\bstat:/i.test(text);
  if (!isMarked && !hasTlv && !isWorded) return undefined;
  if (isMarked && !hasTlv && view.messageState < 0 && body !== "" && !/\b(?:id|stat):/i.test(text)) return undefined;
  return {
    messageId: hasTlv ? view.receiptedId : receiptField(text, "id:"),
    state: readState(view, text),
    errorCode: readErrorCode(view, text),
    recipient: view.source,
    sender: view.destination,
    submitDate: receiptField(text, "submit date:"),
    doneDate: receiptField(text, "done date:"),
    userMessageReference: view.userMessageReference,
    wording: isMarked || hasTlv ? undefined : decodeText(octetsOf(view), view.dataCoding),
  };
}

function octetsOf(view: MessageView): Buffer {
  return view.buffer.subarray(view.bodyStart, view.bodyEnd);
}

/** A receipt that says no readable state stands for "unknown", which every later one may overrule. */
function readState(view: MessageView, text: string): MessageState {
  return messageStateFromNumber(view.messageState) ?? messageStateFromWord(receiptField(text, "stat:")) ?? "unknown";
}

function readErrorCode(view: MessageView, text: string): string {
  const fromText = receiptField(text, "err:");
  if (fromText !== "" || view.networkErrorStart < 0) return fromText;
  const network = view.buffer[view.networkErrorStart] ?? 0;
  return `${network}:${view.buffer.readUInt16BE(view.networkErrorStart + 1)}`;
}

/** The word behind `key` up to the next space; empty when the key is absent. */
function receiptField(text: string, key: string): string {
  let at = text.indexOf(key);
  if (at < 0) at = text.toLowerCase().indexOf(key);
  if (at < 0) return "";
  let start = at + key.length;
  while (text.charCodeAt(start) === 0x20) start += 1;
  let end = start;
  while (end < text.length && text.charCodeAt(end) > 0x20) end += 1;
  return flat(text.slice(start, end));
}

/** A slice of 13 characters or more keeps the whole text alive as long as it lives; receipts are kept by the million. */
function flat(slice: string): string {
  return slice.length < 13 ? slice : Buffer.from(slice, "latin1").toString("latin1");
}

/**
 * Reads a receipt's date: YYMMDDhhmm, YYMMDDhhmmss or YYYYMMDDhhmmss.
 *
 * @param offsetMinutes how far the carrier's clock is ahead of UTC: 60 in Lagos.
 * @returns undefined when the text is no such date.
 */
export function parseReceiptDate(text: string, offsetMinutes: number): Date | undefined {
  if (!/^(?:\d{10}|\d{12}|\d{14})$/.test(text)) return undefined;
  const full = text.length === 14 ? text : `20${text}`.padEnd(14, "0");
  const parts = [full.slice(0, 4), ...(full.slice(4).match(/../g) ?? [])].map(Number);
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  return new Date(Date.UTC(year, month - 1, day, hours, minutes - offsetMinutes, seconds));
}
