import {
  type Address,
  type PartPlace,
  commandStatus,
  dataCoding,
  decodeText,
  readBody,
  type IncomingSubmit,
} from "@ewebal/smpp";

/**
 * One accepted submit, until its receipt is acknowledged (or, when none is wanted, until it has arrived).
 *
 * accepted -> (arrivesAtMs) arrived -> receipt sent -> acknowledged; sent again as long as it is not.
 */
export type CarriedMessage = {
  readonly id: number;
  readonly sender: Address;
  /** Digits with country code. */
  readonly recipient: string;
  readonly text: string;
  readonly place: PartPlace | undefined;
  /** The bits of registered_delivery that ask for a receipt: 0 none, 1 always, 2 when it failed. */
  readonly receiptWish: number;
  readonly acceptedAtMs: number;
  readonly arrivesAtMs: number;
  hasArrived: boolean;
  /** The journal could not take it, so it was never accepted. */
  isLost: boolean;
  /** The journal's segment that holds it. */
  segment: number;
};

/** A line of the journal: a message as it stands, or ids that are done with. */
export type JournalRecord =
  | { readonly kind: "message"; readonly message: CarriedMessage }
  | { readonly kind: "done"; readonly ids: readonly number[] };

/** One line, without line break. */
export function recordLine(record: JournalRecord): string {
  if (record.kind === "done") return JSON.stringify(["done", ...record.ids]);
  const { id, sender, recipient, text, place, receiptWish, acceptedAtMs, arrivesAtMs, hasArrived } = record.message;
  return JSON.stringify([
    "message",
    id,
    [sender.ton, sender.npi, sender.address],
    recipient,
    text,
    place === undefined ? null : [place.reference, place.partCount, place.partNumber],
    receiptWish,
    acceptedAtMs,
    arrivesAtMs,
    hasArrived,
  ]);
}

type MessageFields = [
  kind: "message",
  id: number,
  sender: [ton: number, npi: number, address: string],
  recipient: string,
  text: string,
  place: [number, number, number] | null,
  receiptWish: number,
  acceptedAtMs: number,
  arrivesAtMs: number,
  hasArrived: boolean,
];

/** @returns undefined for a line that is no JSON: a disk may have damaged it, and the others are worth having. */
export function readRecordLine(line: string, segment: number): JournalRecord | undefined {
  let fields: ["done", ...number[]] | MessageFields;
  try {
    fields = JSON.parse(line) as typeof fields;
  } catch {
    return undefined;
  }
  if (fields[0] === "done") return { kind: "done", ids: fields.slice(1) as number[] };
  const [, id, sender, recipient, text, place, receiptWish, acceptedAtMs, arrivesAtMs, hasArrived] = fields;
  const message: CarriedMessage = {
    id,
    sender: { ton: sender[0], npi: sender[1], address: sender[2] },
    recipient,
    text,
    place: place === null ? undefined : { reference: place[0], partCount: place[1], partNumber: place[2] },
    receiptWish,
    acceptedAtMs,
    arrivesAtMs,
    hasArrived,
    isLost: false,
    segment,
  };
  return { kind: "message", message };
}

type SubmitReading =
  | { readonly kind: "text"; readonly text: string; readonly place: PartPlace | undefined }
  | { readonly kind: "malformed"; readonly status: number };

/** One short message has 140 octets: 160 septets, here one an octet. */
const GSM_OCTETS_MAX = 160;
const OCTETS_MAX = 140;

/** Checks a submit as strictly as carriers do, and reads its text. */
export function readSubmit(submit: IncomingSubmit): SubmitReading {
  if (!/^\d{7,15}$/.test(submit.destination.address)) return malformed(commandStatus.ESME_RINVDSTADR);
  if (submit.source.address === "") return malformed(commandStatus.ESME_RINVSRCADR);
  const reading = readBody(submit);
  if (reading === undefined) return malformed(commandStatus.ESME_RINVESMCLASS);
  const { octets: text, headerOctets, place } = reading;
  const hasHeader = headerOctets > 0;
  const isUcs2 = submit.dataCoding === dataCoding.ucs2;
  const lengthMax = isUcs2 || hasHeader ? OCTETS_MAX - headerOctets : OCTETS_MAX;
  const septetsMax = hasHeader ? Math.floor((lengthMax * 8) / 7) : GSM_OCTETS_MAX;
  // What comes in message_payload is cut by the carrier.
  if (!submit.isInPayload && text.length > (isUcs2 ? lengthMax : septetsMax)) {
    return malformed(commandStatus.ESME_RINVMSGLEN);
  }
  if (isUcs2 && text.length % 2 === 1) return malformed(commandStatus.ESME_RINVMSGLEN);
  if (place !== undefined && (place.partNumber < 1 || place.partNumber > place.partCount)) {
    return malformed(commandStatus.ESME_RINVESMCLASS);
  }
  return { kind: "text", text: decodeText(text, submit.dataCoding), place };
}

function malformed(status: number): SubmitReading {
  return { kind: "malformed", status };
}
