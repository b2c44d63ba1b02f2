/** SMPP 3.4: a client that keeps itself bound, a server, and the codec under both. See the package's README. */
export type * from "./client/client-types.ts";
export type { QueryOutcome, RequestOutcome } from "./client/carrier-requests.ts";
export { OutbindListener, type OutbindHandlers, type OutbindOptions } from "./client/outbind-listener.ts";
export { SmppClient } from "./client/smpp-client.ts";
export {
  commandStatus,
  commandStatusName,
  isCredentialStatus,
  isTemporaryStatus,
  isThrottleStatus,
  type CommandStatusName,
} from "./codec/command-status.ts";
export {
  isFinalMessageState,
  messageStateFromNumber,
  messageStateNumber,
  messageStateRank,
  receiptWords,
  type MessageState,
} from "./codec/message-state.ts";
export type {
  MessageCancel,
  MessageQuery,
  MessageReplace,
  MessageRequest,
  MessageStatus,
} from "./codec/message-requests.ts";
export { command, dataCoding, esmClass, numberingPlan, typeOfNumber } from "./codec/commands.ts";
export { buildParts, type CarrierAlphabet, type PartsOptions } from "./message/build-parts.ts";
export { answerKey, guessMessageIdForm, receiptKey, type MessageIdForm } from "./message/message-id.ts";
export { parseReceiptDate } from "./message/read-receipt.ts";
export { readSmppTime, writeReceiptDate } from "./message/smpp-time.ts";
export { buildReceipt, type ReceiptFacts } from "./message/build-receipt.ts";
export { decodeSubmittedText, decodeText, readBody, type MessageBody, type PartPlace } from "./message/read-body.ts";
export { sourceAddress } from "./message/source-address.ts";
export { retryDelayMs } from "./client/backoff.ts";
export { Pace } from "./client/pace.ts";
export type * from "./server/server-types.ts";
export { SmppServer } from "./server/smpp-server.ts";
export type { ServerHandlers, ServerSession } from "./server/server-session.ts";
export type { Deliver } from "./codec/write-deliver.ts";
