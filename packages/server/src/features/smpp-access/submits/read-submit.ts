/** What a submit_sm means: a message, or a part of one. Pure; what may be sent is decided by the send itself. */
import {
  commandStatus,
  decodeSubmittedText,
  readBody,
  readSmppTime,
  typeOfNumber,
  type Address,
  type IncomingSubmit,
  type PartPlace,
} from "@ewebal/smpp";
import type { MessageClass, ProgramKeyMode, Rates } from "@ewebal/contract";
import { readSendToOne, type SendRequest } from "../../messages/index.ts";
import { accessLimits } from "../access-limits.ts";
import { statusOfFields } from "../command-statuses.ts";

/** As `smpp_submit.receipt`. */
export const receiptWishes = { none: 0, final: 1, failure: 2, success: 3 } as const;

/** Of a submit, what its rows and its receipt need. */
export type SubmitFacts = {
  source: Address;
  destination: Address;
  /** One of `receiptWishes`. */
  receipt: number;
  sendAt: Date | undefined;
  validUntil: Date | undefined;
  class: MessageClass | undefined;
};

/** A part's octets in the alphabet of its data coding, and where they belong. */
export type SubmittedPart = { place: PartPlace; dataCoding: number; octets: Buffer };

export type ReadSubmit =
  | { kind: "whole"; facts: SubmitFacts; octets: Buffer; dataCoding: number }
  | { kind: "part"; facts: SubmitFacts; part: SubmittedPart }
  | { kind: "refused"; status: number };

const RECEIPT_BITS = 0x03;
/** Of `service_type`, whose five characters no word of SMPP's own takes; any other stands for what a send without a class is. */
const CLASSES: ReadonlyMap<string, MessageClass> = new Map([
  ["TRANS", "transactional"],
  ["PROMO", "promotional"],
]);
const VALID_ADDRESS = /^[ -~]{1,20}$/;

export function readSubmit(submit: IncomingSubmit, now: Date): ReadSubmit {
  const { source, destination, dataCoding } = submit;
  if (!VALID_ADDRESS.test(source.address)) return refused(commandStatus.ESME_RINVSRCADR);
  if (!VALID_ADDRESS.test(destination.address)) return refused(commandStatus.ESME_RINVDSTADR);
  const sendAt = readSmppTime(submit.scheduleDeliveryTime, now);
  if (sendAt === "wrong") return refused(commandStatus.ESME_RINVSCHED);
  const validUntil = readSmppTime(submit.validityPeriod, now);
  if (validUntil === "wrong") return refused(commandStatus.ESME_RINVEXPIRY);
  const body = readBody(submit);
  if (body === undefined) return refused(commandStatus.ESME_RINVESMCLASS);
  if (decodeSubmittedText(body.octets, dataCoding) === undefined) return refused(commandStatus.ESME_RSUBMITFAIL);
  const receipt = submit.registeredDelivery & RECEIPT_BITS;
  const facts = {
    source,
    destination,
    receipt,
    sendAt,
    validUntil,
    class: CLASSES.get(submit.serviceType.toUpperCase()),
  };
  const { place, octets } = body;
  if (place === undefined || place.partCount === 1) return { kind: "whole", facts, octets, dataCoding };
  const { partCount, partNumber } = place;
  if (partCount < 1 || partCount > accessLimits.partsMax || partNumber < 1 || partNumber > partCount)
    return refused(commandStatus.ESME_RINVESMCLASS);
  return { kind: "part", facts, part: { place, dataCoding, octets } };
}

function refused(status: number): ReadSubmit {
  return { kind: "refused", status };
}

/** Neighbours in one alphabet are read together: a client may cut a character in two. */
export function decodeParts(parts: readonly { dataCoding: number; octets: Buffer }[]): string {
  let text = "";
  let run: Buffer[] = [];
  for (const [index, { dataCoding, octets }] of parts.entries()) {
    run.push(octets);
    if (parts[index + 1]?.dataCoding === dataCoding) continue;
    text += decodeSubmittedText(Buffer.concat(run), dataCoding) ?? "";
    run = [];
  }
  return text;
}

/** The country whose national numbers (type of number 2) are read: there are no others to a customer in it. */
const HOME_CODE = "234";

/** @returns the send that the text to the submit's destination is, or the status of a field that is wrong. */
export function readRequest(
  { source, destination, validUntil, class: messageClass }: SubmitFacts,
  text: string,
  { rates, mode }: { rates: Rates; mode: ProgramKeyMode },
): { kind: "request"; request: SendRequest } | { kind: "refused"; status: number } {
  const read = readSendToOne(
    {
      senderName: source.address,
      message: text,
      phoneNo: destination.address,
      ...(destination.ton === typeOfNumber.national && { code: HOME_CODE }),
      ...(messageClass !== undefined && { class: messageClass }),
    },
    rates,
    mode,
  );
  if (read.kind === "wrong") return { kind: "refused", status: statusOfFields(read.fields) };
  return {
    kind: "request",
    request: { ...read.value, ...(validUntil && { validUntil: validUntil.toISOString() }) },
  };
}
