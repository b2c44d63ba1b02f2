import { commandStatus, dataCoding, decodeText, readBody, type IncomingSubmit, type PartPlace } from "@ewebal/smpp";

export type SubmitReading =
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
