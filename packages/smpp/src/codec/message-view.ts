import { tlv } from "./commands.ts";
import type { PartPlace } from "../message/read-body.ts";
import { latin1, PduReader } from "./pdu-reader.ts";

const ADDRESS_OCTETS_MAX = 64;
const ID_OCTETS_MAX = 255;
/** The tags that SMPP leaves to each operator (3.4, section 5.3.1). */
const VENDOR_TAG_MIN = 0x1400;
const VENDOR_TAG_MAX = 0x3fff;

/**
 * The fields of a submit_sm, deliver_sm or data_sm, as offsets into the buffer it lies in. One view is used for every
 * PDU of a connection, and is only good until the next `read`.
 */
export class MessageView {
  readonly #reader = new PduReader();
  buffer: Buffer = Buffer.alloc(0);
  serviceTypeStart = 0;
  serviceTypeEnd = 0;
  sourceTon = 0;
  sourceNpi = 0;
  sourceStart = 0;
  sourceEnd = 0;
  destinationTon = 0;
  destinationNpi = 0;
  destinationStart = 0;
  destinationEnd = 0;
  esmClass = 0;
  priority = 0;
  scheduleStart = 0;
  scheduleEnd = 0;
  validityStart = 0;
  validityEnd = 0;
  registeredDelivery = 0;
  dataCoding = 0;
  /** The text: short_message, or message_payload when that is there. */
  bodyStart = 0;
  bodyEnd = 0;
  /** -1 in all of these means that the TLV is absent. */
  receiptedIdStart = -1;
  receiptedIdEnd = -1;
  messageState = -1;
  networkErrorStart = -1;
  userMessageReference = -1;
  sarReference = -1;
  sarPartCount = -1;
  sarPartNumber = -1;
  hasPayload = false;
  /** Copies of the values of operators' own TLVs, by tag; undefined when there is none, as in nearly all PDUs. */
  vendorTlvs: Map<number, Buffer> | undefined;
  /** A TLV runs over the PDU's end: it and what follows was left out. */
  isTlvBroken = false;

  get serviceType(): string {
    return latin1(this.buffer, this.serviceTypeStart, this.serviceTypeEnd);
  }

  get source(): string {
    return latin1(this.buffer, this.sourceStart, this.sourceEnd);
  }

  get destination(): string {
    return latin1(this.buffer, this.destinationStart, this.destinationEnd);
  }

  /** As it was written, see `readSmppTime`; empty in a data_sm. */
  get scheduleDeliveryTime(): string {
    return latin1(this.buffer, this.scheduleStart, this.scheduleEnd);
  }

  get validityPeriod(): string {
    return latin1(this.buffer, this.validityStart, this.validityEnd);
  }

  get receiptedId(): string {
    return latin1(this.buffer, this.receiptedIdStart, this.receiptedIdEnd);
  }

  /** The place of a part by the TLVs; undefined unless all three are there. */
  get sar(): PartPlace | undefined {
    const { sarReference: reference, sarPartCount: partCount, sarPartNumber: partNumber } = this;
    return reference >= 0 && partCount > 0 && partNumber > 0 ? { reference, partCount, partNumber } : undefined;
  }

  /**
   * @param start where the body begins, behind the header.
   * @param isDataSm the shorter layout of data_sm, whose text is always in message_payload.
   * @returns false when a mandatory field is cut off or a string has no end; the fields are then worth nothing.
   */
  read(buffer: Buffer, start: number, end: number, isDataSm: boolean): boolean {
    const reader = this.#reader;
    reader.reset(buffer, start, end);
    this.buffer = buffer;
    reader.skipText(ADDRESS_OCTETS_MAX);
    this.serviceTypeStart = reader.textStart;
    this.serviceTypeEnd = reader.textEnd;
    this.sourceTon = reader.octet();
    this.sourceNpi = reader.octet();
    reader.skipText(ADDRESS_OCTETS_MAX);
    this.sourceStart = reader.textStart;
    this.sourceEnd = reader.textEnd;
    this.destinationTon = reader.octet();
    this.destinationNpi = reader.octet();
    reader.skipText(ADDRESS_OCTETS_MAX);
    this.destinationStart = reader.textStart;
    this.destinationEnd = reader.textEnd;
    this.esmClass = reader.octet();
    if (isDataSm) this.#readDataTail(reader);
    else this.#readShortMessage(reader);
    this.#readTlvs(reader);
    return reader.ok;
  }

  #readDataTail(reader: PduReader): void {
    this.priority = 0;
    this.scheduleStart = this.scheduleEnd;
    this.validityStart = this.validityEnd;
    this.registeredDelivery = reader.octet();
    this.dataCoding = reader.octet();
    this.bodyStart = reader.at;
    this.bodyEnd = reader.at;
  }

  #readShortMessage(reader: PduReader): void {
    reader.octet(); // protocol_id
    this.priority = reader.octet();
    reader.skipText(ADDRESS_OCTETS_MAX);
    this.scheduleStart = reader.textStart;
    this.scheduleEnd = reader.textEnd;
    reader.skipText(ADDRESS_OCTETS_MAX);
    this.validityStart = reader.textStart;
    this.validityEnd = reader.textEnd;
    this.registeredDelivery = reader.octet();
    reader.octet(); // replace_if_present_flag
    this.dataCoding = reader.octet();
    reader.octet(); // sm_default_msg_id
    const octets = reader.octet();
    this.bodyStart = reader.at;
    this.bodyEnd = reader.at + octets;
    if (this.bodyEnd > reader.end) reader.ok = false;
    else reader.at = this.bodyEnd;
  }

  #readTlvs(reader: PduReader): void {
    this.receiptedIdStart = -1;
    this.receiptedIdEnd = -1;
    this.messageState = -1;
    this.networkErrorStart = -1;
    this.userMessageReference = -1;
    this.sarReference = -1;
    this.sarPartCount = -1;
    this.sarPartNumber = -1;
    this.hasPayload = false;
    this.vendorTlvs = undefined;
    this.isTlvBroken = false;
    if (!reader.ok) return;
    while (reader.at < reader.end) {
      if (reader.end - reader.at < 4) {
        this.isTlvBroken = true;
        return;
      }
      const tag = reader.uint16();
      const octets = reader.uint16();
      const start = reader.at;
      if (octets > reader.end - start) {
        this.isTlvBroken = true;
        return;
      }
      reader.at = start + octets;
      this.#keepTlv(tag, start, octets);
    }
  }

  /** A TLV of the wrong length is left out, like one that is unknown. */
  #keepTlv(tag: number, start: number, octets: number): void {
    const { buffer } = this;
    switch (tag) {
      case tlv.receiptedMessageId: {
        // A C-octet string by the specification; some carriers leave the NUL out.
        let end = start;
        const limit = start + Math.min(octets, ID_OCTETS_MAX);
        while (end < limit && buffer[end] !== 0) end += 1;
        this.receiptedIdStart = start;
        this.receiptedIdEnd = end;
        return;
      }
      case tlv.messageState:
        if (octets === 1) this.messageState = buffer[start] ?? -1;
        return;
      case tlv.networkErrorCode:
        if (octets === 3) this.networkErrorStart = start;
        return;
      case tlv.userMessageReference:
        if (octets === 2) this.userMessageReference = buffer.readUInt16BE(start);
        return;
      case tlv.sarMsgRefNum:
        if (octets === 2) this.sarReference = buffer.readUInt16BE(start);
        return;
      case tlv.sarTotalSegments:
        if (octets === 1) this.sarPartCount = buffer[start] ?? -1;
        return;
      case tlv.sarSegmentSeqnum:
        if (octets === 1) this.sarPartNumber = buffer[start] ?? -1;
        return;
      case tlv.messagePayload:
        this.hasPayload = true;
        this.bodyStart = start;
        this.bodyEnd = start + octets;
        return;
      default:
        if (tag < VENDOR_TAG_MIN || tag > VENDOR_TAG_MAX) return;
        this.vendorTlvs ??= new Map();
        this.vendorTlvs.set(tag, Buffer.from(buffer.subarray(start, start + octets)));
    }
  }
}
