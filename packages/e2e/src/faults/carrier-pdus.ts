/** SMPP as the contrary carrier reads and writes it, byte by byte. */

export const commandIds = { submit: 4, deliver: 5, unbind: 6, enquire: 0x15, nack: 0x8000_0000 } as const;
export const ANSWER_BIT = 0x8000_0000;
export const bindCommands = new Set([1, 2, 9]);
export const statuses = { ok: 0, systemError: 8, invalidDestination: 0x0b, throttled: 0x58 } as const;
export const HEADER_OCTETS = 16;

export type ReportState = "DELIVRD" | "UNDELIV" | "ENROUTE";
const stateNumbers: Record<ReportState, number> = { ENROUTE: 1, DELIVRD: 2, UNDELIV: 5 };

export type Submit = { source: Address; number: string; tag: string; part: number };
type Address = { ton: number; npi: number; address: string };

/** A delivery report as it stands in one deliver_sm. */
export type ReportText = { submit: Submit; id: string; state: ReportState };

export function writePdu(command: number, status: number, sequence: number, body: Buffer): Buffer {
  const pdu = Buffer.alloc(HEADER_OCTETS + body.length);
  pdu.writeUInt32BE(pdu.length, 0);
  pdu.writeUInt32BE(command >>> 0, 4);
  pdu.writeUInt32BE(status, 8);
  pdu.writeUInt32BE(sequence, 12);
  body.copy(pdu, HEADER_OCTETS);
  return pdu;
}

/** @param hasFields receipted_message_id and message_state; the text says the same. */
export function writeReport(sequence: number, { submit, id, state }: ReportText, hasFields: boolean): Buffer {
  const { source, number } = submit;
  const text = `id:${id} sub:001 dlvrd:001 submit date:2611230900 done date:2611230901 stat:${state} err:000 text:`;
  const fields = Buffer.concat([
    Buffer.from([0x00, 0x1e, 0, id.length + 1]),
    Buffer.from(`${id}\0`),
    Buffer.from([0x04, 0x27, 0, 1, stateNumbers[state]]),
  ]);
  const body = Buffer.concat([
    Buffer.from([0, 1, 1]),
    Buffer.from(`${number}\0`),
    Buffer.from([source.ton, source.npi]),
    Buffer.from(`${source.address}\0`),
    Buffer.from([state === "ENROUTE" ? 0x20 : 4, 0, 0, 0, 0, 0, 0, 0, 0, text.length]),
    Buffer.from(text),
    ...(hasFields ? [fields] : []),
  ]);
  return writePdu(commandIds.deliver, 0, sequence, body);
}

/** Reads number, part and tag of a submit_sm. Its texts are of GSM's basic letters, which are ASCII's. */
export function readSubmit(pdu: Buffer): Submit {
  let at = HEADER_OCTETS;
  const text = (): string => {
    const end = pdu.indexOf(0, at);
    const read = pdu.toString("latin1", at, end);
    at = end + 1;
    return read;
  };
  text();
  const source = { ton: pdu[at] ?? 0, npi: pdu[at + 1] ?? 0, address: "" };
  at += 2;
  source.address = text();
  at += 2;
  const number = text();
  const esmClass = pdu[at] ?? 0;
  at += 3;
  text();
  text();
  const octets = pdu[at + 4] ?? 0;
  const message = pdu.subarray(at + 5, at + 5 + octets);
  const hasHeader = (esmClass & 0x40) !== 0;
  const headerOctets = hasHeader ? (message[0] ?? 0) + 1 : 0;
  const tag = /m\d\dx/.exec(message.toString("latin1", headerOctets))?.[0] ?? "none";
  return { source, number, tag, part: hasHeader ? (message[headerOctets - 1] ?? 0) : 1 };
}
