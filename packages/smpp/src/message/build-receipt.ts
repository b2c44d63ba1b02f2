import { dataCoding, esmClass } from "../codec/commands.ts";
import { messageStateNumber, receiptWords, type MessageState } from "../codec/message-state.ts";
import type { Address } from "../client/client-types.ts";
import type { Deliver } from "../codec/write-deliver.ts";
import { writeReceiptDate } from "./smpp-time.ts";

export type ReceiptFacts = {
  /** As it stood in submit_sm_resp. */
  messageId: string;
  state: MessageState;
  /** The addresses of the submit, as they were written; the receipt goes the other way. */
  source: Address;
  destination: Address;
  submittedAt: Date;
  doneAt: Date;
  /** Three characters at most; 000 when there is none. */
  errorCode: string;
  /** The beginning of the message; ASCII, as its data coding is not said. */
  text: string;
};

const TEXT_CHARACTERS_MAX = 20;

/** A delivery receipt as appendix B has it, with the TLVs receipted_message_id and message_state. */
export function buildReceipt(facts: ReceiptFacts): Deliver {
  const { messageId, state, errorCode, submittedAt, doneAt } = facts;
  const text = facts.text.replaceAll(/[^ -~]/g, "?").slice(0, TEXT_CHARACTERS_MAX);
  const dates = `submit date:${writeReceiptDate(submittedAt)} done date:${writeReceiptDate(doneAt)}`;
  const counts = `sub:001 dlvrd:00${state === "delivered" ? 1 : 0}`;
  return {
    source: facts.destination,
    destination: facts.source,
    esmClass: esmClass.deliveryReceipt,
    dataCoding: dataCoding.carrierDefault,
    body: `id:${messageId} ${counts} ${dates} stat:${receiptWords[state]} err:${errorCode} text:${text}`,
    receipted: { messageId, state: messageStateNumber(state) },
  };
}
