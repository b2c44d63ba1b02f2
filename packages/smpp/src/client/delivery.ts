import type { Address, DeliveryAnswer, InboundMessage, Receipt } from "./client-types.ts";
import type { MessageState } from "../codec/message-state.ts";
import { commandStatus } from "../codec/command-status.ts";

/** The session a delivery came by; answering after it has ended does nothing. */
export type DeliverySource = {
  answerDelivery(commandId: number, sequence: number, status: number): boolean;
};

/** Which PDU is to be answered, and where. */
export type DeliveryOrigin = {
  readonly source: DeliverySource;
  readonly commandId: number;
  readonly sequence: number;
};

class Answerable implements DeliveryAnswer {
  readonly #source: DeliverySource;
  readonly #commandId: number;
  readonly #sequence: number;
  #isAnswered = false;

  constructor(origin: DeliveryOrigin) {
    this.#source = origin.source;
    this.#commandId = origin.commandId;
    this.#sequence = origin.sequence;
  }

  acknowledge(): boolean {
    return this.#answer(commandStatus.ESME_ROK);
  }

  refuse(status: number = commandStatus.ESME_RX_T_APPN): boolean {
    return this.#answer(status);
  }

  #answer(status: number): boolean {
    if (this.#isAnswered) return false;
    this.#isAnswered = true;
    return this.#source.answerDelivery(this.#commandId, this.#sequence, status);
  }
}

/** What the carrier wrote; the rest is how to answer it. */
export type ReceiptFields = Omit<Receipt, "kind" | keyof DeliveryAnswer>;

export class ReceiptDelivery extends Answerable implements Receipt {
  readonly kind = "receipt";
  readonly messageId: string;
  readonly state: MessageState;
  readonly errorCode: string;
  readonly recipient: string;
  readonly sender: string;
  readonly submitDate: string;
  readonly doneDate: string;
  readonly userMessageReference: number;
  readonly wording: string | undefined;

  constructor(origin: DeliveryOrigin, fields: ReceiptFields) {
    super(origin);
    this.messageId = fields.messageId;
    this.state = fields.state;
    this.errorCode = fields.errorCode;
    this.recipient = fields.recipient;
    this.sender = fields.sender;
    this.submitDate = fields.submitDate;
    this.doneDate = fields.doneDate;
    this.userMessageReference = fields.userMessageReference;
    this.wording = fields.wording;
  }
}

export type InboundFields = Omit<InboundMessage, "kind" | keyof DeliveryAnswer>;

export class InboundDelivery extends Answerable implements InboundMessage {
  readonly kind = "message";
  readonly source: Address;
  readonly destination: Address;
  readonly dataCoding: number;
  readonly esmClass: number;
  readonly sar: InboundMessage["sar"];
  readonly body: Buffer;

  constructor(origin: DeliveryOrigin, fields: InboundFields) {
    super(origin);
    this.source = fields.source;
    this.destination = fields.destination;
    this.dataCoding = fields.dataCoding;
    this.esmClass = fields.esmClass;
    this.sar = fields.sar;
    this.body = fields.body;
  }
}
