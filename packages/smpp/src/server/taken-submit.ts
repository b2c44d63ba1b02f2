import type { Address } from "../client/client-types.ts";
import { commandStatus } from "../codec/command-status.ts";
import type { MessageView } from "../codec/message-view.ts";
import type { IncomingSubmit } from "./server-types.ts";

/** Where the answer to a submit goes. */
export type SubmitSink = {
  answerSubmit(sequence: number, status: number, messageId: string): boolean;
};

/** A submit_sm with everything copied out of the read buffer. */
export class TakenSubmit implements IncomingSubmit {
  readonly #sink: SubmitSink;
  readonly #sequence: number;
  #isAnswered = false;
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly priority: number;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  readonly sar: IncomingSubmit["sar"];
  readonly userMessageReference: number;
  readonly body: Buffer;
  readonly isInPayload: boolean;

  constructor(sink: SubmitSink, sequence: number, view: MessageView) {
    this.#sink = sink;
    this.#sequence = sequence;
    this.source = { ton: view.sourceTon, npi: view.sourceNpi, address: view.source };
    this.destination = { ton: view.destinationTon, npi: view.destinationNpi, address: view.destination };
    this.esmClass = view.esmClass;
    this.priority = view.priority;
    this.registeredDelivery = view.registeredDelivery;
    this.dataCoding = view.dataCoding;
    this.userMessageReference = view.userMessageReference;
    this.sar = view.sar;
    this.isInPayload = view.hasPayload;
    this.body = Buffer.from(view.buffer.subarray(view.bodyStart, view.bodyEnd));
  }

  accept(messageId: string): boolean {
    return this.#answer(commandStatus.ESME_ROK, messageId);
  }

  refuse(status: number): boolean {
    return this.#answer(status, "");
  }

  #answer(status: number, messageId: string): boolean {
    if (this.#isAnswered) return false;
    this.#isAnswered = true;
    return this.#sink.answerSubmit(this.#sequence, status, messageId);
  }
}
